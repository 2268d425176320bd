package io.fairlead.nvme.target;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One association of one host with one subsystem, or with the discovery service. Its admin state belongs to the poll group of its admin
 * queue; its I/O queues may be on others. What any thread may call says so.
 */
final class Controller {

    private static final int CC_ENABLE = 1;
    private static final int CC_SHUTDOWN_MASK = 0b11 << 14;
    private static final int CSTS_READY = 1;
    private static final int CSTS_SHUTDOWN_COMPLETE = 0b10 << 2;

    private final Subsystem subsystem;
    private final Kind kind;
    private final String hostNqn;
    private final byte[] hostIdentifier;
    private final UUID listener;
    private final FabricQueue admin;
    private final Events events;
    private final Map<Integer, FabricQueue> ioQueues = new ConcurrentHashMap<>();
    private final Map<Integer, IoCounters> counters = new ConcurrentHashMap<>();
    private final boolean volatileWriteCache;
    private final int cntlid;
    private volatile boolean ended;
    private volatile int configuration;
    private volatile boolean writeCacheEnabled = true;
    private volatile int ioQueuesGranted;

    /** What the controller is for. */
    enum Kind {
        IO,
        DISCOVERY
    }

    Controller(
            Subsystem subsystem, Kind kind, String hostNqn, byte[] hostIdentifier, UUID listener, FabricQueue admin) {
        this.subsystem = subsystem;
        this.kind = kind;
        this.hostNqn = hostNqn;
        this.hostIdentifier = hostIdentifier;
        this.listener = listener;
        this.admin = admin;
        this.events = new Events(admin);
        this.ioQueuesGranted = admin.settings().ioQueues();
        this.volatileWriteCache = subsystem.model().hasVolatileWriteCache();
        this.cntlid = subsystem.register(this);
    }

    /** 0 when the subsystem had no id left: the controller was never registered. */
    int cntlid() {
        return cntlid;
    }

    Subsystem subsystem() {
        return subsystem;
    }

    Kind kind() {
        return kind;
    }

    String hostNqn() {
        return hostNqn;
    }

    byte[] hostIdentifier() {
        return hostIdentifier.clone();
    }

    boolean isOf(String otherNqn, byte[] otherIdentifier) {
        return hostNqn.equals(otherNqn) && java.util.Arrays.equals(hostIdentifier, otherIdentifier);
    }

    UUID listener() {
        return listener;
    }

    Events events() {
        return events;
    }

    boolean hasEnded() {
        return ended;
    }

    // Properties; on the admin queue's thread, read by all.

    int configuration() {
        return configuration;
    }

    /** Takes a new CC. Taking the enable bit away ends the I/O queues, as a reset does. */
    void configuration(int value) {
        boolean wasEnabled = isEnabled();
        configuration = value;
        if (wasEnabled && !isEnabled()) {
            List.copyOf(ioQueues.values()).forEach(FabricQueue::disconnectSoon);
        }
    }

    boolean isEnabled() {
        return (configuration & CC_ENABLE) != 0;
    }

    int status() {
        int ready = isEnabled() ? CSTS_READY : 0;
        int shutdown = (configuration & CC_SHUTDOWN_MASK) != 0 ? CSTS_SHUTDOWN_COMPLETE : 0;
        return ready | shutdown;
    }

    /**
     * Whether this association was told of a volatile write cache. It stays as it was at Connect, because hosts ask once: one that heard
     * of none never flushes, and each of its writes has to be on stable media, also on namespaces that came later.
     */
    boolean hasVolatileWriteCache() {
        return volatileWriteCache;
    }

    /** Whether a write may be acknowledged before it is on stable media. */
    boolean writeCacheEnabled() {
        return volatileWriteCache && writeCacheEnabled;
    }

    void writeCacheEnabled(boolean enabled) {
        writeCacheEnabled = enabled;
    }

    int ioQueuesGranted() {
        return ioQueuesGranted;
    }

    void ioQueuesGranted(int count) {
        ioQueuesGranted = count;
    }

    // Queues; from the poll group of the queue in question.

    /** False when the number is taken. */
    boolean addIoQueue(int qid, FabricQueue queue) {
        return ioQueues.putIfAbsent(qid, queue) == null;
    }

    void removeIoQueue(int qid, FabricQueue queue) {
        ioQueues.remove(qid, queue);
    }

    boolean hasIoQueues() {
        return !ioQueues.isEmpty();
    }

    /** What is counted for the queue that has this number; one queue at a time has it. */
    IoCounters counters(int qid) {
        return counters.computeIfAbsent(qid, _ -> new IoCounters());
    }

    Collection<IoCounters> counters() {
        return counters.values();
    }

    // From any thread.

    /** Ends the association: all of its connections are closed, each by its own poll group. */
    void end() {
        ended = true;
        subsystem.forget(this);
        admin.disconnectSoon();
        List.copyOf(ioQueues.values()).forEach(FabricQueue::disconnectSoon);
    }

    void onNamespaceChanged(int nsid) {
        admin.execute(() -> events.onNamespaceChanged(nsid));
    }

    void onAnaChanged() {
        admin.execute(events::onAnaChanged);
    }

    void onDiscoveryChanged() {
        admin.execute(events::onDiscoveryChanged);
    }

    ControllerView view() {
        return new ControllerView(
                cntlid, subsystem.model().nqn(), hostNqn, listener, ioQueues.size(), List.of(admin.peerAddress()));
    }
}
