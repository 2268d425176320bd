package io.fairlead.worker.prover;

import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.NamespaceData;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection that the lanes of a {@link VerifiedIo} share: the first of them to find it broken makes a new one, and the others get
 * that. What the namespace calls itself is compared each time. Thread-safe.
 */
final class IoSession implements AutoCloseable {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** How to connect. */
    interface Connector {
        HostConnection connect() throws InitiatorFault, CommandFailure;
    }

    /** What the namespace is, and through which controller. */
    record Identity(NamespaceData namespace, String serial, int controllerId) {
        private boolean isSameNamespace(Identity other) {
            return namespace.equals(other.namespace) && serial.equals(other.serial);
        }
    }

    private final Connector connector;
    private final Optional<Long> wantedNsid;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile HostConnection connection;
    private volatile Identity identity;
    private volatile boolean connected;
    private volatile long reconnects;
    private volatile long identityChanges;
    private volatile long longestPauseNanos;

    private IoSession(Connector connector, Optional<Long> wantedNsid) {
        this.connector = connector;
        this.wantedNsid = wantedNsid;
    }

    /** Connects for the first time; that this works is not a matter of patience. */
    static IoSession open(Connector connector, Optional<Long> wantedNsid) throws InitiatorFault, CommandFailure {
        IoSession session = new IoSession(connector, wantedNsid);
        session.establish();
        return session;
    }

    private void establish() throws InitiatorFault, CommandFailure {
        HostConnection fresh = connector.connect();
        try {
            Identity found = identify(fresh);
            if (identity != null && !identity.isSameNamespace(found)) {
                identityChanges++;
            }
            identity = found;
        } catch (InitiatorFault | CommandFailure fault) {
            fresh.abort();
            throw fault;
        }
        connection = fresh;
        connected = true;
    }

    private Identity identify(HostConnection fresh) throws InitiatorFault, CommandFailure {
        NamespaceData namespace = fresh.identifyNamespaces().stream()
                .filter(found -> wantedNsid.isEmpty() || wantedNsid.get() == found.nsid())
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        "namespace.missing", "The subsystem does not have the namespace that is asked for."));
        return new Identity(namespace, fresh.controller().serial(), fresh.controllerId());
    }

    HostConnection connection() {
        return connection;
    }

    Identity identity() {
        return identity;
    }

    /** Replaces a connection that was found broken, trying until the deadline. */
    void renew(HostConnection broken, long deadlineNanos) throws InitiatorFault, CommandFailure {
        lock.lock();
        try {
            if (connection != broken) {
                return;
            }
            connected = false;
            long lost = System.nanoTime();
            broken.abort();
            while (true) {
                try {
                    establish();
                    break;
                } catch (InitiatorFault | CommandFailure notYet) {
                    if (System.nanoTime() - deadlineNanos >= 0) {
                        throw notYet;
                    }
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
            reconnects++;
            longestPauseNanos = Math.max(longestPauseNanos, System.nanoTime() - lost);
        } finally {
            lock.unlock();
        }
    }

    boolean isConnected() {
        return connected;
    }

    long reconnects() {
        return reconnects;
    }

    long identityChanges() {
        return identityChanges;
    }

    long longestPauseMillis() {
        return TimeUnit.NANOSECONDS.toMillis(longestPauseNanos);
    }

    @Override
    public void close() {
        connection.close();
    }
}
