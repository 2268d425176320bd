package io.fairlead.nvme.target;

/** How a device operation ended; the target turns each into one NVMe status. */
public enum DeviceStatus {
    OK,
    /** The medium could not be read: Unrecovered Read Error. */
    READ_ERROR,
    /** The medium could not be written: Write Fault. */
    WRITE_FAULT,
    /** No space is left behind a thin device: Capacity Exceeded; nothing was acknowledged. */
    NO_SPACE,
    /** The device has gone: Internal Path Error, so that a host with another path uses it; without DNR. */
    GONE,
    /** The device cannot do that: Invalid Command Opcode. */
    UNSUPPORTED
}
