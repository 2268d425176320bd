package io.fairlead.worker.prover;

import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.HostController;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.initiator.NvmCommands;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Writes {@link Pattern}s and verifies them. Each command in flight is a lane, a thread with chunks of its own, so that what a chunk
 * may hold is known without locks: not older than the last acknowledged write, and not newer than the last one that was sent.
 */
final class VerifiedIo {

    /** How long it may take to come back after the end of a run. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double MEBIBYTE = 1 << 20;

    /**
     * What to do.
     *
     * @param chunkBytes of one command
     */
    record Load(long bytes, int chunkBytes, int queueDepth, long seed) {}

    /** What was found, so far or at the end. */
    record Outcome(
            long seconds,
            boolean connected,
            long reads,
            long writes,
            long errors,
            long reconnects,
            long mismatches,
            long identityChanges,
            long longestPauseMillis,
            double writeMibPerSecond,
            double readMibPerSecond,
            Optional<IoSession.Identity> identity) {
        boolean holds() {
            return mismatches == 0 && identityChanges == 0;
        }
    }

    private final IoSession.Connector connector;
    private final Optional<Long> nsid;
    private final Load load;
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder mismatches = new LongAdder();

    VerifiedIo(IoSession.Connector connector, Optional<Long> nsid, Load load) {
        this.connector = connector;
        this.nsid = nsid;
        this.load = load;
    }

    /** Writes the range once and reads it back; the first error ends it. */
    Outcome verifyOnce() throws InitiatorFault, CommandFailure, InterruptedException {
        try (IoSession session = IoSession.open(connector, nsid)) {
            List<Lane> lanes = lanes(session);
            long start = System.nanoTime();
            join(all(lanes, Lane::writeAll));
            session.connection().flush(session.identity().namespace());
            long written = System.nanoTime();
            join(all(lanes, Lane::readAll));
            long read = System.nanoTime();
            return outcome(session, start, rate(written - start), rate(read - written));
        }
    }

    /** Writes, reads and verifies at random until the time has passed, then reads everything back. */
    Outcome runFor(Duration duration, Consumer<Outcome> everySecond)
            throws InitiatorFault, CommandFailure, InterruptedException {
        try (IoSession session = IoSession.open(connector, nsid)) {
            List<Lane> lanes = lanes(session);
            long start = System.nanoTime();
            long end = start + duration.toNanos();
            CompletableFuture<Void> running = all(lanes, lane -> lane.run(end));
            while (!isDoneWithinOneSecond(running)) {
                everySecond.accept(outcome(session, start, 0, 0));
            }
            join(running);
            join(all(lanes, lane -> lane.readAllPatiently(end)));
            return outcome(session, start, 0, 0);
        }
    }

    private static boolean isDoneWithinOneSecond(CompletableFuture<Void> running) throws InterruptedException {
        try {
            running.get(1, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException stillRunning) {
            return false;
        } catch (ExecutionException failed) {
            // The caller joins it, and gets the failure there.
            return true;
        }
    }

    private Outcome outcome(IoSession session, long startNanos, double writeRate, double readRate) {
        return new Outcome(
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos),
                session.isConnected(),
                reads.sum(),
                writes.sum(),
                errors.sum(),
                session.reconnects(),
                mismatches.sum(),
                session.identityChanges(),
                session.longestPauseMillis(),
                writeRate,
                readRate,
                Optional.of(session.identity()));
    }

    private double rate(long nanos) {
        return load.bytes() / MEBIBYTE / (Math.max(1, nanos) / 1e9);
    }

    private List<Lane> lanes(IoSession session) throws CommandFailure {
        NamespaceData namespace = session.identity().namespace();
        if (load.bytes() > namespace.sizeBytes()) {
            throw new CommandFailure(
                    "io.range_too_large",
                    "The namespace has %d bytes, and %d are to be written."
                            .formatted(namespace.sizeBytes(), load.bytes()));
        }
        int chunk = load.chunkBytes();
        if (chunk <= 0 || chunk % namespace.lbaBytes() != 0 || load.bytes() % chunk != 0 || load.bytes() == 0) {
            throw new CommandFailure(
                    "io.block_not_whole",
                    "--block has to be a multiple of %d, and --bytes one of --block.".formatted(namespace.lbaBytes()));
        }
        if (chunk > session.connection().transferBytesMax()) {
            throw new CommandFailure(
                    "io.block_too_large",
                    "The controller takes at most %d bytes in one command."
                            .formatted(session.connection().transferBytesMax()));
        }
        int chunks = Math.toIntExact(load.bytes() / chunk);
        List<Lane> lanes = new ArrayList<>();
        for (int index = 0; index < Math.min(load.queueDepth(), chunks); index++) {
            lanes.add(new Lane(session, namespace, index, Math.min(load.queueDepth(), chunks), chunks));
        }
        return lanes;
    }

    /** What a lane does; it throws when it cannot go on. */
    private interface LaneTask {
        void run(Lane lane) throws InitiatorFault, CommandFailure;
    }

    private static CompletableFuture<Void> all(List<Lane> lanes, LaneTask task) {
        return CompletableFuture.allOf(lanes.stream()
                .map(lane -> start(() -> {
                    task.run(lane);
                    return null;
                }))
                .toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> start(Callable<Void> work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(work.call());
            } catch (Exception failure) {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }

    private static void join(CompletableFuture<Void> lanes) throws InitiatorFault, CommandFailure {
        try {
            lanes.join();
        } catch (CompletionException failure) {
            switch (failure.getCause()) {
                case InitiatorFault fault -> throw fault;
                case CommandFailure fault -> throw fault;
                case null, default -> throw failure;
            }
        }
    }

    /** One command in flight, and the chunks that only it touches. */
    private final class Lane {

        private final IoSession session;
        private final NamespaceData namespace;
        private final Pattern pattern;
        private final SplittableRandom random;
        private final int first;
        private final int stride;
        /** Per chunk of this lane: the version of the last acknowledged write; 0: none. */
        private final long[] acknowledged;
        /** Per chunk of this lane: the version of the last write that was sent. */
        private final long[] sent;

        private final MemorySegment data = MemorySegment.ofArray(new byte[load.chunkBytes()]);

        Lane(IoSession session, NamespaceData namespace, int first, int stride, int chunks) {
            this.session = session;
            this.namespace = namespace;
            this.pattern = new Pattern(load.seed(), namespace.lbaBytes());
            this.random = new SplittableRandom(load.seed() + first);
            this.first = first;
            this.stride = stride;
            int own = (chunks - first + stride - 1) / stride;
            this.acknowledged = new long[own];
            this.sent = new long[own];
        }

        void writeAll() throws InitiatorFault {
            for (int own = 0; own < sent.length; own++) {
                HostController.requireSuccess("Write", write(session.connection(), own));
                acknowledged[own] = sent[own];
            }
        }

        void readAll() throws InitiatorFault {
            for (int own = 0; own < sent.length; own++) {
                HostController.requireSuccess("Read", read(session.connection(), own));
            }
        }

        void run(long endNanos) throws InitiatorFault, CommandFailure {
            while (System.nanoTime() - endNanos < 0) {
                int own = random.nextInt(sent.length);
                attempt(own, acknowledged[own] == 0 || random.nextBoolean(), endNanos);
            }
        }

        void readAllPatiently(long endNanos) throws InitiatorFault, CommandFailure {
            for (int own = 0; own < sent.length; own++) {
                while (acknowledged[own] != 0 && !attempt(own, false, endNanos)) {
                    if (System.nanoTime() - endNanos - PATIENCE_NANOS >= 0) {
                        throw new CommandFailure(
                                "io.unreadable", "The namespace could not be read back after the end of the run.");
                    }
                }
            }
        }

        /** One command; an error is counted, and a broken connection made anew. */
        private boolean attempt(int own, boolean writing, long endNanos) throws InitiatorFault, CommandFailure {
            HostConnection connection = session.connection();
            try {
                Completion completion = writing ? write(connection, own) : read(connection, own);
                if (completion.succeeded()) {
                    if (writing) {
                        acknowledged[own] = sent[own];
                    }
                    return true;
                }
                errors.increment();
                LockSupport.parkNanos(PAUSE_AFTER_ERROR_NANOS);
            } catch (InitiatorFault broken) {
                errors.increment();
                session.renew(connection, endNanos + PATIENCE_NANOS);
            }
            return false;
        }

        private Completion write(HostConnection connection, int own) throws InitiatorFault {
            sent[own]++;
            pattern.fill(data, lba(own), sent[own]);
            HostCommand command = NvmCommands.write(
                    namespace.nsid(), lba(own), namespace.lbaBytes(), data, NvmCommands.Durability.CACHED);
            Completion completion = TcpHostQueue.await(connection.submit(0, command));
            writes.increment();
            return completion;
        }

        private Completion read(HostConnection connection, int own) throws InitiatorFault {
            HostCommand command = NvmCommands.read(namespace.nsid(), lba(own), namespace.lbaBytes(), data);
            Completion completion = TcpHostQueue.await(connection.submit(0, command));
            if (completion.succeeded()) {
                HostConnection.requireWhole(completion, data);
                verify(own);
                reads.increment();
            }
            return completion;
        }

        private void verify(int own) {
            int lbaBytes = namespace.lbaBytes();
            for (long at = 0; at < data.byteSize(); at += lbaBytes) {
                long version = pattern.versionAt(data, at, lba(own) + at / lbaBytes);
                if (version < acknowledged[own] || version > sent[own]) {
                    mismatches.increment();
                }
            }
        }

        private long lba(int own) {
            int chunk = first + own * stride;
            return (long) chunk * load.chunkBytes() / namespace.lbaBytes();
        }
    }
}
