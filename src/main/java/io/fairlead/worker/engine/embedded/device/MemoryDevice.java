package io.fairlead.worker.engine.embedded.device;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A namespace in memory, for benchmarks and tests; everything ends during the call. Thread-safe as memory is: by blocks. */
public final class MemoryDevice implements BlockDevice, AutoCloseable {

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int blockBytes;

    public MemoryDevice(int blockBytes, long blockCount) {
        this.blockBytes = blockBytes;
        this.memory = arena.allocate(Math.multiplyExact(blockBytes, blockCount), 4096);
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blockCount() {
        return memory.byteSize() / blockBytes;
    }

    /** Memory does not survive a power cut, flushed or not; as far as a flush can help, everything is where it will be. */
    @Override
    public boolean hasVolatileWriteCache() {
        return false;
    }

    @Override
    public DeviceQueue openQueue(DeviceCompletion completion) {
        return new Queue(completion);
    }

    @Override
    public void close() {
        arena.close();
    }

    private final class Queue implements DeviceQueue {

        private final DeviceCompletion completion;

        Queue(DeviceCompletion completion) {
            this.completion = completion;
        }

        @Override
        public void read(FabricCommand command, long block, int blocks) {
            MemorySegment.copy(memory, block * blockBytes, command.data(), 0, (long) blocks * blockBytes);
            completion.onDone(command, DeviceStatus.OK);
        }

        @Override
        public void write(FabricCommand command, long block, int blocks, UnitAccess access) {
            MemorySegment.copy(command.data(), 0, memory, block * blockBytes, (long) blocks * blockBytes);
            completion.onDone(command, DeviceStatus.OK);
        }

        @Override
        public void flush(FabricCommand command) {
            completion.onDone(command, DeviceStatus.OK);
        }

        @Override
        public void writeZeroes(
                FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access) {
            zero(block, blocks);
            completion.onDone(command, DeviceStatus.OK);
        }

        @Override
        public void deallocate(FabricCommand command, long block, long blocks) {
            zero(block, blocks);
            completion.onDone(command, DeviceStatus.OK);
        }

        private void zero(long block, long blocks) {
            memory.asSlice(block * blockBytes, blocks * blockBytes).fill((byte) 0);
        }

        @Override
        public int poll() {
            return 0;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
