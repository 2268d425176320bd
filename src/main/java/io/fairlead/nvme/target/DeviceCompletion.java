package io.fairlead.nvme.target;

/** Told once per device operation, on the poll group's thread. */
public interface DeviceCompletion {
    void onDone(FabricCommand command, DeviceStatus status);
}
