package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;
import java.util.ArrayDeque;
import java.util.Deque;

/** A device whose operations end when it is let go. */
final class HeldDevice implements BlockDevice {

    private final int blockBytes;
    private volatile boolean held = true;

    HeldDevice(int blockBytes) {
        this.blockBytes = blockBytes;
    }

    void letGo() {
        held = false;
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blockCount() {
        return 8192;
    }

    @Override
    public boolean hasVolatileWriteCache() {
        return false;
    }

    @Override
    public DeviceQueue openQueue(DeviceCompletion completion) {
        return new HeldQueue(completion);
    }

    private final class HeldQueue implements DeviceQueue {

        private final DeviceCompletion completion;
        private final Deque<FabricCommand> commands = new ArrayDeque<>();

        HeldQueue(DeviceCompletion completion) {
            this.completion = completion;
        }

        @Override
        public void read(FabricCommand command, long block, int blocks) {
            commands.add(command);
        }

        @Override
        public void write(FabricCommand command, long block, int blocks, UnitAccess access) {
            commands.add(command);
        }

        @Override
        public void flush(FabricCommand command) {
            commands.add(command);
        }

        @Override
        public void writeZeroes(
                FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access) {
            commands.add(command);
        }

        @Override
        public void deallocate(FabricCommand command, long block, long blocks) {
            commands.add(command);
        }

        @Override
        public int poll() {
            int reaped = 0;
            while (!held && !commands.isEmpty()) {
                completion.onDone(commands.remove(), DeviceStatus.OK);
                reaped++;
            }
            return reaped;
        }

        @Override
        public void close() {
            // Ends with what is held.
        }
    }
}
