package io.fairlead.worker.volume.lvm;

import io.fairlead.core.VolumeId;
import io.fairlead.worker.volume.VolumeFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Writes zeros to new space in a thread of its own, one volume after the other. What is to be done with the space then is done by the
 * reconciler's thread, when it finds the work ended.
 */
final class Zeroings implements AutoCloseable {

    private final BlockNodes nodes;
    private final Runnable worthAsking;
    private final ExecutorService thread;
    private final Map<VolumeId, Work> work = new ConcurrentHashMap<>();

    Zeroings(String poolName, BlockNodes nodes, Runnable worthAsking) {
        this.nodes = nodes;
        this.worthAsking = worthAsking;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("pool-" + poolName).factory());
    }

    /**
     * Space that is written with zeros.
     *
     * @param mapperUuid of the device that is to be written to, and of no other
     */
    record Space(Path node, String mapperUuid, long sizeBytes) {}

    /** How far it is. */
    sealed interface Progress {
        record Running(Space space, long doneBytes) implements Progress {}

        record Done(Space space) implements Progress {}

        record Failed(VolumeFault fault) implements Progress {}
    }

    private static final class Work {
        private final Space space;
        private volatile long doneBytes;
        private volatile boolean isDone;
        private volatile VolumeFault fault;

        private Work(Space space) {
            this.space = space;
        }

        private Progress progress() {
            if (fault != null) {
                return new Progress.Failed(fault);
            }
            return isDone ? new Progress.Done(space) : new Progress.Running(space, doneBytes);
        }
    }

    Optional<Progress> of(VolumeId volume) {
        return Optional.ofNullable(work.get(volume)).map(Work::progress);
    }

    void forget(VolumeId volume) {
        work.remove(volume);
    }

    void start(VolumeId volume, Space space) throws VolumeFault {
        Work started = new Work(space);
        work.put(volume, started);
        try {
            thread.execute(() -> zero(volume, started));
        } catch (RejectedExecutionException e) {
            work.remove(volume);
            throw VolumeFault.notYet("pool.closed", "The pool is being closed.", e);
        }
    }

    private void zero(VolumeId volume, Work started) {
        Space space = started.space;
        try {
            String found = nodes.mapperUuid(space.node());
            if (!found.equals(space.mapperUuid())) {
                started.fault = otherDevice(space.node(), found);
                return;
            }
            nodes.zero(space.node(), space.sizeBytes(), done -> started.doneBytes = done);
            started.isDone = true;
        } catch (IOException e) {
            started.fault = VolumeFault.notYet(
                    "volume.not_allocated",
                    "Volume " + volume + " could not be written with zeros: " + told(e) + ".",
                    e);
        } finally {
            worthAsking.run();
        }
    }

    static VolumeFault otherDevice(Path node, String found) {
        return VolumeFault.broken(
                "volume.other_device",
                node + " leads to " + (found.isEmpty() ? "no logical volume" : "the device " + found)
                        + " and not to this volume. It is not used.",
                null);
    }

    static String told(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Stops where it is. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
