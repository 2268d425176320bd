package io.fairlead.worker.engine.embedded.device;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;

/** A device whose operations end on other threads, so that the poll group must be woken to reap them. */
public interface WakingDevice extends BlockDevice {

    /** Like {@link #openQueue(DeviceCompletion)}; {@code wakeUp} is called from any thread when {@link DeviceQueue#poll()} has work. */
    DeviceQueue openQueue(DeviceCompletion completion, Runnable wakeUp);

    @Override
    default DeviceQueue openQueue(DeviceCompletion completion) {
        return openQueue(completion, () -> {});
    }
}
