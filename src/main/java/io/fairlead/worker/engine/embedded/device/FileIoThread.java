package io.fairlead.worker.engine.embedded.device;

import io.fairlead.nvme.target.DeviceStatus;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Does the blocking I/O of one {@link FileDeviceQueue}. Never interrupted, because an interrupt would close the file under everybody.
 * {@link #offer}, {@link #reap} and {@link #outstanding} belong to the poll group's thread.
 */
final class FileIoThread {

    private static final System.Logger LOG = System.getLogger(FileIoThread.class.getName());
    private static final int RING = 256;

    private final FileDevice device;
    private final Runnable wakeUp;
    private final Thread thread;
    private final HandoffRing<FileOperation> submitted = new HandoffRing<>(RING);
    private final HandoffRing<FileOperation> done = new HandoffRing<>(RING);
    private int outstanding;
    private volatile boolean parked;
    private volatile boolean stopping;

    FileIoThread(FileDevice device, Runnable wakeUp, int number) {
        this.device = device;
        this.wakeUp = wakeUp;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("file-io-" + number + " " + device.path().getFileName())
                .unstarted(this::run);
    }

    void start() {
        device.enter();
        thread.start();
    }

    /** False when as many operations are out as the rings hold. */
    boolean offer(FileOperation operation) {
        if (outstanding == RING || !submitted.offer(operation)) {
            return false;
        }
        outstanding++;
        // Either the thread sees the operation before it parks, or we see that it has parked.
        VarHandle.fullFence();
        if (parked) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    /** An operation that ended, or null. */
    FileOperation reap() {
        FileOperation operation = done.poll();
        if (operation != null) {
            outstanding--;
        }
        return operation;
    }

    int outstanding() {
        return outstanding;
    }

    void stopWhenIdle() {
        stopping = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            while (true) {
                FileOperation operation = submitted.poll();
                if (operation != null) {
                    perform(operation);
                    done.offer(operation);
                    wakeUp.run();
                } else if (stopping) {
                    return;
                } else {
                    sleep();
                }
            }
        } finally {
            leave();
        }
    }

    /** A fault of ours must not leave the command without an answer, nor the thread dead. */
    private void perform(FileOperation operation) {
        try {
            device.perform(operation, System.nanoTime());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, operation.kind + " on " + device.path() + " failed", e);
            operation.status =
                    operation.kind == FileOperation.Kind.READ ? DeviceStatus.READ_ERROR : DeviceStatus.WRITE_FAULT;
        }
    }

    private void sleep() {
        parked = true;
        VarHandle.fullFence();
        if (submitted.isEmpty() && !stopping) {
            LockSupport.park(this);
        }
        parked = false;
    }

    private void leave() {
        try {
            device.leave();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "closing " + device.path() + " failed", e);
        }
    }
}
