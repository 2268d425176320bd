package io.fairlead.worker.prover;

import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.initiator.AdminCommands;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.ControllerData;
import io.fairlead.nvme.initiator.DiscoveryLog;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.HostController;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.initiator.NvmCommands;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A host connected to one controller over NVMe/TCP: an admin queue and perhaps I/O queues, each with a thread of its own. Commands may
 * be submitted from any thread; administration is for one thread at a time. Every call ends by its deadline.
 */
public final class HostConnection implements AutoCloseable {

    private static final int ADMIN_TRANSFER_BYTES_MAX = 64 << 10;
    /** A host need not use all that a controller allows in one command. */
    private static final int IO_TRANSFER_BYTES_MAX = 256 << 10;
    /** Keep Alive is sent this many times within its time limit. */
    private static final int KEEP_ALIVES_PER_LIMIT = 3;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final HostOptions options;
    private final TcpHostQueue admin;
    private final HostController controller;
    private final List<TcpHostQueue> ioQueues = new ArrayList<>();
    private ControllerData data;
    private int transferBytesMax = ADMIN_TRANSFER_BYTES_MAX;

    private HostConnection(HostOptions options, TcpHostQueue admin, HostController controller) {
        this.options = options;
        this.admin = admin;
        this.controller = controller;
    }

    /** Connects, authenticates if asked to, identifies the controller and connects the I/O queues. */
    public static HostConnection connect(
            HostIdentity host, InetSocketAddress address, String subsystemNqn, HostOptions options)
            throws InitiatorFault {
        return connect(host, address, subsystemNqn, options, System::nanoTime, opened -> {});
    }

    /**
     * @param onOpened told from where the admin queue speaks, before the first command
     */
    static HostConnection connect(
            HostIdentity host,
            InetSocketAddress address,
            String subsystemNqn,
            HostOptions options,
            LongSupplier nanoTime,
            Consumer<InetSocketAddress> onOpened)
            throws InitiatorFault {
        long ceiling = nanoTime.getAsLong() + options.connectTimeout().toNanos();
        QueueShape shape = new QueueShape(
                HostController.ADMIN_DEPTH,
                ADMIN_TRANSFER_BYTES_MAX,
                0,
                options.keepAlive().toNanos() / KEEP_ALIVES_PER_LIMIT);
        TcpHostQueue admin = TcpHostQueue.open(
                address, shape, options.digests(), options.commandTimeout().toNanos(), ceiling, nanoTime);
        if (admin.localAddress() != null) {
            onOpened.accept(admin.localAddress());
        }
        HostController controller = new HostController(admin, host, subsystemNqn, RANDOM, HostConnection::pause);
        HostConnection connection = new HostConnection(options, admin, controller);
        try {
            controller.establish((int) options.keepAlive().toMillis());
            connection.data = controller.identifyController();
            if (options.ioQueues() > 0) {
                connection.connectQueues(address, ceiling, nanoTime);
            }
        } catch (InitiatorFault fault) {
            connection.abort();
            throw fault;
        }
        admin.liftCeiling();
        connection.ioQueues.forEach(TcpHostQueue::liftCeiling);
        return connection;
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void connectQueues(InetSocketAddress address, long ceiling, LongSupplier nanoTime) throws InitiatorFault {
        int granted = controller.requestQueues(options.ioQueues());
        int depth = Math.min(options.queueDepth(), controller.queueDepthMax());
        if (data.commandsMax() > 1) {
            depth = Math.min(depth, data.commandsMax());
        }
        transferBytesMax = Math.min(data.transferBytesMax(), IO_TRANSFER_BYTES_MAX);
        QueueShape shape = new QueueShape(depth, transferBytesMax, data.inCapsuleBytes(), 0);
        for (int queueId = 1; queueId <= granted; queueId++) {
            TcpHostQueue queue = TcpHostQueue.open(
                    address, shape, options.digests(), options.commandTimeout().toNanos(), ceiling, nanoTime);
            ioQueues.add(queue);
            controller.connectQueue(queue, queueId, depth);
        }
    }

    /** Reads the discovery log at the address. */
    public static DiscoveryLog discover(HostIdentity host, InetSocketAddress address, HostOptions options)
            throws InitiatorFault {
        HostOptions alone = options.withQueues(0, options.queueDepth()).withKeepAlive(Duration.ZERO);
        try (HostConnection connection = connect(host, address, HostController.DISCOVERY_NQN, alone)) {
            return connection.controller.discover();
        }
    }

    public ControllerData controller() {
        return data;
    }

    public int controllerId() {
        return controller.controllerId();
    }

    /** How the two sides proved themselves; empty if the controller did not ask for it. */
    public Optional<AuthProgress.Succeeded> authentication() {
        return controller.authentication();
    }

    public List<NamespaceData> identifyNamespaces() throws InitiatorFault {
        return controller.identifyNamespaces();
    }

    /** A log page from its start, as long as the segment. */
    public void getLogPage(int page, MemorySegment into) throws InitiatorFault {
        controller.getLogPage(page, into);
    }

    public void keepAlive() throws InitiatorFault {
        controller.keepAlive();
    }

    /** Asks for events of changed namespaces and ANA states; {@link #nextEvent()} then waits for one. */
    public void enableEvents() throws InitiatorFault {
        controller.enableEvents();
    }

    /** Ends with the next event, or with the connection. */
    public CompletableFuture<Completion> nextEvent() {
        return admin.submitWithoutDeadline(AdminCommands.asynchronousEventRequest());
    }

    public int ioQueueCount() {
        return ioQueues.size();
    }

    /** Most bytes of one I/O command. */
    public int transferBytesMax() {
        return transferBytesMax;
    }

    /** Sends a command on an I/O queue; queues are numbered from 0. Waits while the queue is full. */
    public CompletableFuture<Completion> submit(int queue, HostCommand command) {
        return ioQueues.get(queue).submit(command);
    }

    /** Sends a command on the first I/O queue and waits for its success. */
    public Completion execute(String what, HostCommand command) throws InitiatorFault {
        if (ioQueues.isEmpty()) {
            throw InitiatorFault.of(Kind.CONTROLLER_UNSUITABLE, "The connection has no I/O queue.");
        }
        Completion completion = ioQueues.getFirst().execute(command);
        HostController.requireSuccess(what, completion);
        return completion;
    }

    /** Sends any command on the admin queue, for tests of a target; the answer may be an error. */
    public Completion executeAdmin(HostCommand command) throws InitiatorFault {
        return admin.execute(command);
    }

    /** Reads whole blocks, in as many commands as it takes. */
    public void read(NamespaceData namespace, long lba, MemorySegment into) throws InitiatorFault {
        long step = stepBytes(namespace);
        for (long at = 0; at < into.byteSize(); at += step) {
            MemorySegment part = into.asSlice(at, Math.min(step, into.byteSize() - at));
            Completion completion = execute(
                    "Read",
                    NvmCommands.read(namespace.nsid(), lba + at / namespace.lbaBytes(), namespace.lbaBytes(), part));
            requireWhole(completion, part);
        }
    }

    static void requireWhole(Completion completion, MemorySegment part) throws InitiatorFault {
        if (completion.dataBytes() != part.byteSize()) {
            throw InitiatorFault.of(
                    Kind.TRANSPORT_BROKEN,
                    "A read succeeded with %d bytes where %d were asked for."
                            .formatted(completion.dataBytes(), part.byteSize()));
        }
    }

    /** Writes whole blocks, in as many commands as it takes. */
    public void write(NamespaceData namespace, long lba, MemorySegment from) throws InitiatorFault {
        long step = stepBytes(namespace);
        for (long at = 0; at < from.byteSize(); at += step) {
            MemorySegment part = from.asSlice(at, Math.min(step, from.byteSize() - at));
            execute(
                    "Write",
                    NvmCommands.write(
                            namespace.nsid(),
                            lba + at / namespace.lbaBytes(),
                            namespace.lbaBytes(),
                            part,
                            NvmCommands.Durability.CACHED));
        }
    }

    public void flush(NamespaceData namespace) throws InitiatorFault {
        execute("Flush", NvmCommands.flush(namespace.nsid()));
    }

    private long stepBytes(NamespaceData namespace) {
        return transferBytesMax / namespace.lbaBytes() * (long) namespace.lbaBytes();
    }

    /** Why the connection has ended; empty as long as it works. */
    public Optional<InitiatorFault> broken() {
        if (admin.broken() != null) {
            return Optional.of(admin.broken());
        }
        return ioQueues.stream()
                .map(TcpHostQueue::broken)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Leaves as a host should: tells the controller, then closes. */
    @Override
    public void close() {
        ioQueues.forEach(TcpHostQueue::close);
        if (admin.broken() == null) {
            try {
                controller.shutDown();
            } catch (InitiatorFault alreadyGone) {
                // Leaving a controller that has gone by itself is no failure of the caller's.
            }
        }
        admin.close();
    }

    /** Leaves as a host does that lost its power: closes the sockets. */
    public void abort() {
        ioQueues.forEach(TcpHostQueue::close);
        admin.close();
    }
}
