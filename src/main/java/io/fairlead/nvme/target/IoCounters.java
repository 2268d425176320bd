package io.fairlead.nvme.target;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What went through the I/O queues that had one number of one controller. Written by the thread of the queue that has the number now,
 * read by any. It outlives the queue, so that a controller's counts never fall while it lives.
 */
final class IoCounters {

    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();

    long reads() {
        return reads.getOpaque();
    }

    long readBytes() {
        return readBytes.getOpaque();
    }

    long writes() {
        return writes.getOpaque();
    }

    long writtenBytes() {
        return writtenBytes.getOpaque();
    }

    void onRead(long bytes) {
        add(reads, 1);
        add(readBytes, bytes);
    }

    void onWrite(long bytes) {
        add(writes, 1);
        add(writtenBytes, bytes);
    }

    private static void add(AtomicLong counter, long amount) {
        counter.setOpaque(counter.getPlain() + amount);
    }
}
