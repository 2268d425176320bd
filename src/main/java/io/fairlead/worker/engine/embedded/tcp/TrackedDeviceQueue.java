package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;
import io.fairlead.worker.engine.embedded.device.WakingDevice;

/**
 * A poll group's queue to a device, with the count of what each command has there: a buffer must not be used again before the device
 * is done with it. Brings each completion to the connection that the command belongs to.
 */
final class TrackedDeviceQueue implements DeviceQueue, DeviceCompletion {

    private final BlockDevice device;
    private final DeviceQueue queue;
    private int outstanding;
    private boolean closed;

    TrackedDeviceQueue(BlockDevice device, Runnable wakeUp) {
        this.device = device;
        this.queue = device instanceof WakingDevice waking
                ? waking.openQueue(this::onDone, wakeUp)
                : device.openQueue(this::onDone);
    }

    BlockDevice device() {
        return device;
    }

    /** Whether it was closed and nothing of it is at the device any more. */
    boolean isFinished() {
        return closed && outstanding == 0;
    }

    int outstanding() {
        return outstanding;
    }

    private void sent(FabricCommand command) {
        outstanding++;
        ((TcpCommand) command.transportContext()).atDevice++;
    }

    @Override
    public void onDone(FabricCommand command, DeviceStatus status) {
        outstanding--;
        TcpCommand owner = (TcpCommand) command.transportContext();
        owner.connection.onDeviceDone(owner, status);
    }

    @Override
    public void read(FabricCommand command, long block, int blocks) {
        sent(command);
        queue.read(command, block, blocks);
    }

    @Override
    public void write(FabricCommand command, long block, int blocks, UnitAccess access) {
        sent(command);
        queue.write(command, block, blocks, access);
    }

    @Override
    public void flush(FabricCommand command) {
        sent(command);
        queue.flush(command);
    }

    @Override
    public void writeZeroes(
            FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access) {
        sent(command);
        queue.writeZeroes(command, block, blocks, deallocation, access);
    }

    @Override
    public void deallocate(FabricCommand command, long block, long blocks) {
        sent(command);
        queue.deallocate(command, block, blocks);
    }

    @Override
    public int poll() {
        return queue.poll();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            queue.close();
        }
    }
}
