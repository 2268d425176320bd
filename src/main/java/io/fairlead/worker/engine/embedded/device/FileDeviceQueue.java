package io.fairlead.worker.engine.embedded.device;

import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;
import java.util.ArrayDeque;

/**
 * A poll group's way to a {@link FileDevice}. Owned by the poll group's thread; the I/O threads see only operations that were handed
 * to them. The first thread starts with the first operation, each further one when all others have work waiting.
 */
final class FileDeviceQueue implements DeviceQueue {

    private static final int THREADS_MAX = 2;

    private final FileDevice device;
    private final DeviceCompletion completion;
    private final Runnable wakeUp;
    private final FileIoThread[] threads = new FileIoThread[THREADS_MAX];
    private final ArrayDeque<FileOperation> free = new ArrayDeque<>();
    private final ArrayDeque<FileOperation> waiting = new ArrayDeque<>();
    private int threadCount;
    private boolean closed;

    FileDeviceQueue(FileDevice device, DeviceCompletion completion, Runnable wakeUp) {
        this.device = device;
        this.completion = completion;
        this.wakeUp = wakeUp;
    }

    @Override
    public void read(FabricCommand command, long block, int blocks) {
        submit(FileOperation.Kind.READ, command, block, blocks, UnitAccess.CACHED);
    }

    @Override
    public void write(FabricCommand command, long block, int blocks, UnitAccess access) {
        submit(FileOperation.Kind.WRITE, command, block, blocks, access);
    }

    @Override
    public void flush(FabricCommand command) {
        submit(FileOperation.Kind.FLUSH, command, 0, 0, UnitAccess.CACHED);
    }

    @Override
    public void writeZeroes(
            FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access) {
        submit(FileOperation.Kind.WRITE_ZEROES, command, block, blocks, access);
    }

    /** The JDK cannot punch holes, and advice may be ignored; writing zeros instead would make every trim a full overwrite. */
    @Override
    public void deallocate(FabricCommand command, long block, long blocks) {
        completion.onDone(command, device.knownFailure());
    }

    private void submit(FileOperation.Kind kind, FabricCommand command, long block, long blocks, UnitAccess access) {
        if (closed) {
            completion.onDone(command, DeviceStatus.GONE);
            return;
        }
        FileOperation operation = free.poll();
        if (operation == null) {
            operation = new FileOperation();
        }
        int blockBytes = device.blockBytes();
        operation.set(kind, command, block * blockBytes, blocks * blockBytes, access);
        if (!handOver(operation)) {
            waiting.add(operation);
        }
    }

    /** To the thread with the least to do. False when even that one is full. */
    private boolean handOver(FileOperation operation) {
        FileIoThread least = threadCount == 0 ? startThread() : threads[0];
        for (int i = 1; i < threadCount; i++) {
            if (threads[i].outstanding() < least.outstanding()) {
                least = threads[i];
            }
        }
        if (least.outstanding() > 0 && threadCount < THREADS_MAX) {
            least = startThread();
        }
        return least.offer(operation);
    }

    private FileIoThread startThread() {
        FileIoThread thread = new FileIoThread(device, wakeUp, threadCount);
        threads[threadCount++] = thread;
        thread.start();
        return thread;
    }

    @Override
    public int poll() {
        int reaped = 0;
        for (int i = 0; i < threadCount; i++) {
            FileOperation operation;
            while ((operation = threads[i].reap()) != null) {
                FabricCommand command = operation.command;
                DeviceStatus status = operation.status;
                operation.command = null;
                free.add(operation);
                reaped++;
                completion.onDone(command, status);
            }
        }
        while (!waiting.isEmpty() && handOver(waiting.peek())) {
            waiting.remove();
        }
        return reaped;
    }

    /** What was handed over still ends and can be reaped; the threads then leave by themselves. */
    @Override
    public void close() {
        closed = true;
        FileOperation operation;
        while ((operation = waiting.poll()) != null) {
            completion.onDone(operation.command, DeviceStatus.GONE);
        }
        for (int i = 0; i < threadCount; i++) {
            threads[i].stopWhenIdle();
        }
    }
}
