package io.fairlead.nvme.target;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/** A device in memory that remembers what was asked of it, can hold operations back and can fail them. For one thread. */
public final class ScriptedDevice implements BlockDevice {

    /** When an operation ends. */
    public enum Pace {
        DURING_THE_CALL,
        WHEN_POLLED
    }

    private final Arena arena = Arena.ofAuto();
    private final int blockBytes;
    private MemorySegment memory;
    private boolean volatileWriteCache;
    private Pace pace = Pace.DURING_THE_CALL;
    private DeviceStatus outcome = DeviceStatus.OK;
    private int flushes;
    private int forcedWrites;
    private int deallocations;
    private final Deque<Runnable> held = new ArrayDeque<>();

    public ScriptedDevice(int blockBytes, long blockCount) {
        this.blockBytes = blockBytes;
        this.memory = arena.allocate(blockBytes * blockCount, 4096);
    }

    public void pace(Pace wanted) {
        this.pace = wanted;
    }

    /** How every operation ends from now on. */
    public void outcome(DeviceStatus status) {
        this.outcome = status;
    }

    public void withVolatileWriteCache() {
        volatileWriteCache = true;
    }

    public void growTo(long blockCount) {
        MemorySegment larger = arena.allocate(blockBytes * blockCount, 4096);
        MemorySegment.copy(memory, 0, larger, 0, memory.byteSize());
        memory = larger;
    }

    public MemorySegment memory() {
        return memory;
    }

    public int flushes() {
        return flushes;
    }

    public int forcedWrites() {
        return forcedWrites;
    }

    public int deallocations() {
        return deallocations;
    }

    public int operationsHeld() {
        return held.size();
    }

    /** Ends the oldest operation that is held back. */
    public void finishOne() {
        held.remove().run();
    }

    public void finishAll() {
        while (!held.isEmpty()) {
            finishOne();
        }
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blockCount() {
        return memory.byteSize() / blockBytes;
    }

    @Override
    public boolean hasVolatileWriteCache() {
        return volatileWriteCache;
    }

    @Override
    public DeviceQueue openQueue(DeviceCompletion completion) {
        return new Queue(completion);
    }

    private final class Queue implements DeviceQueue {

        private final DeviceCompletion completion;

        Queue(DeviceCompletion completion) {
            this.completion = completion;
        }

        private void end(FabricCommand command, Runnable work) {
            DeviceStatus status = outcome;
            Runnable whole = () -> {
                if (status == DeviceStatus.OK) {
                    work.run();
                }
                completion.onDone(command, status);
            };
            switch (pace) {
                case DURING_THE_CALL -> whole.run();
                case WHEN_POLLED -> held.add(whole);
            }
        }

        @Override
        public void read(FabricCommand command, long block, int blocks) {
            end(
                    command,
                    () -> MemorySegment.copy(
                            memory, block * blockBytes, command.data(), 0, (long) blocks * blockBytes));
        }

        @Override
        public void write(FabricCommand command, long block, int blocks, UnitAccess access) {
            if (access == UnitAccess.FORCED) {
                forcedWrites++;
            }
            end(
                    command,
                    () -> MemorySegment.copy(
                            command.data(), 0, memory, block * blockBytes, (long) blocks * blockBytes));
        }

        @Override
        public void flush(FabricCommand command) {
            flushes++;
            end(command, () -> {});
        }

        @Override
        public void writeZeroes(
                FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access) {
            end(command, () -> zero(block, blocks));
        }

        @Override
        public void deallocate(FabricCommand command, long block, long blocks) {
            deallocations++;
            end(command, () -> zero(block, blocks));
        }

        private void zero(long block, long blocks) {
            memory.asSlice(block * blockBytes, blocks * blockBytes).fill((byte) 0);
        }

        @Override
        public int poll() {
            int polled = held.size();
            finishAll();
            return polled;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
