package io.fairlead.nvme.target;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** A poll group whose time and whose turns belong to the test. Everything runs on the test's thread. */
public final class ManualPollGroup implements PollGroup {

    private final Map<BlockDevice, DeviceQueue> deviceQueues = new HashMap<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long nowNanos = 1_000_000_000L;

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    /** Lets time pass; no tick follows from it. */
    public void advanceMillis(long millis) {
        nowNanos += millis * 1_000_000L;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs what was handed over, and what that hands over in turn. */
    public void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public DeviceQueue deviceQueue(BlockDevice device) {
        return deviceQueues.computeIfAbsent(device, opened -> opened.openQueue(ManualPollGroup::onDone));
    }

    private static void onDone(FabricCommand command, DeviceStatus status) {
        LoopbackTransport.Exchange exchange = (LoopbackTransport.Exchange) command.transportContext();
        if (!exchange.isAbandoned()) {
            command.queue().onDeviceDone(command, status);
        }
    }
}
