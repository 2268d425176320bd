package io.fairlead.nvme.target;

/** A device that holds a namespace's data. Thread-safe; the I/O happens on its queues. */
public interface BlockDevice {

    /** 512 or 4096. */
    int blockBytes();

    /** Current size in blocks of {@link #blockBytes()}. Only ever grows. */
    long blockCount();

    /** Whether an acknowledged write may be lost by a power cut until it is flushed: the controller then advertises a volatile write cache. */
    boolean hasVolatileWriteCache();

    /** Opens a queue for the calling thread, which alone may use it. */
    DeviceQueue openQueue(DeviceCompletion completion);
}
