package io.fairlead.nvme.target;

/** What a thread that owns connections offers to the target. */
public interface PollGroup {

    /** Monotonic time, read once per turn of the poll loop. */
    long nowNanos();

    /** Runs the task on this poll group's thread, soon; callable from any thread. */
    void execute(Runnable task);

    /**
     * This poll group's own queue to the device, opened when first asked for. On the poll group's thread only. What it completes goes
     * to {@link TargetQueue#onDeviceDone} of the command's queue.
     */
    DeviceQueue deviceQueue(BlockDevice device);
}
