package io.fairlead.nvme.target;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asynchronous events of one controller (NVM Express Base 2.0, section 5.2). Owned by the thread of its admin queue.
 *
 * <p>An event that was told is masked until its log page is read without Retain Asynchronous Event; what happens in between is in the log
 * by then, and needs no telling of its own.
 */
final class Events {

    /** AERL plus one. */
    static final int REQUESTS_MAX = 4;

    /** More changed namespaces than the list can name (section 5.16.1.5). */
    static final int CHANGED_NAMESPACES_MAX = 1024;

    /** What a host can be told. */
    enum Notice {
        NAMESPACE_CHANGED(1 << 8, 0x0004_0002),
        ANA_CHANGED(1 << 11, 0x000C_0302),
        DISCOVERY_CHANGED(1 << 31, 0x0070_F002);

        private final int enableBit;
        private final int result;

        Notice(int enableBit, int result) {
            this.enableBit = enableBit;
            this.result = result;
        }
    }

    private final FabricQueue admin;
    private final ArrayDeque<FabricCommand> requests = new ArrayDeque<>(REQUESTS_MAX);
    private final Set<Notice> due = EnumSet.noneOf(Notice.class);
    private final Set<Notice> masked = EnumSet.noneOf(Notice.class);
    private final NavigableSet<Integer> changedNamespaces = new TreeSet<>();
    private int enabled;

    Events(FabricQueue admin) {
        this.admin = admin;
    }

    int enabled() {
        return enabled;
    }

    void enabled(int bits) {
        enabled = bits;
    }

    /** Holds an Asynchronous Event Request until there is something to tell. */
    void onRequest(FabricCommand command) throws CommandFault {
        if (requests.size() == REQUESTS_MAX) {
            throw CommandFault.of(io.fairlead.nvme.spec.StatusCode.AER_LIMIT_EXCEEDED);
        }
        requests.add(command);
        tell();
    }

    /** Gives up the request with this command identifier; null when there is none. */
    FabricCommand abort(int cid) {
        for (FabricCommand request : requests) {
            if (io.fairlead.nvme.wire.SubmissionEntry.cid(request.sqe()) == cid) {
                requests.remove(request);
                return request;
            }
        }
        return null;
    }

    void onNamespaceChanged(int nsid) {
        changedNamespaces.add(nsid);
        raise(Notice.NAMESPACE_CHANGED);
    }

    void onAnaChanged() {
        raise(Notice.ANA_CHANGED);
    }

    void onDiscoveryChanged() {
        raise(Notice.DISCOVERY_CHANGED);
    }

    private void raise(Notice notice) {
        if ((enabled & notice.enableBit) != 0 && !masked.contains(notice)) {
            due.add(notice);
            tell();
        }
    }

    private void tell() {
        while (!due.isEmpty() && !requests.isEmpty()) {
            Notice notice = due.iterator().next();
            due.remove(notice);
            masked.add(notice);
            admin.complete(requests.remove(), notice.result);
        }
    }

    /** The notice's log page was read and may be forgotten. */
    void onLogRead(Notice notice) {
        masked.remove(notice);
        due.remove(notice);
    }

    NavigableSet<Integer> changedNamespaces() {
        return changedNamespaces;
    }

    /** The connection is gone, and the requests with it. */
    void clear() {
        requests.clear();
        due.clear();
    }
}
