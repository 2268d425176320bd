package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.tcp.WireBuffer;

/**
 * The data buffers of one poll group, in a few sizes, aligned for direct I/O. Memory is taken in slabs when first needed, up to the
 * limit, and never given back: what has been hot is used again first. Used by the poll group's thread only.
 */
final class BufferPool {

    private static final int ALIGNMENT_BYTES = 4096;
    private static final int SLAB_BYTES = 1 << 20;
    private static final int[] SIZES = {4096, 16_384, 131_072, 1 << 20};

    /** A buffer of the pool; whoever took it gives it back exactly once. */
    static final class Buffer {
        private final WireBuffer wire;
        private final int sizeClass;
        private boolean taken;

        private Buffer(WireBuffer wire, int sizeClass) {
            this.wire = wire;
            this.sizeClass = sizeClass;
        }

        WireBuffer wire() {
            return wire;
        }
    }

    private final Buffer[][] free = new Buffer[SIZES.length][16];
    private final int[] freeCount = new int[SIZES.length];
    private long limitBytes;
    private long heldBytes;
    private int inUse;

    BufferPool(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** A buffer of at least so many bytes, or null when the limit is reached or the size is beyond all. */
    Buffer take(int bytes) {
        for (int sizeClass = 0; sizeClass < SIZES.length; sizeClass++) {
            if (SIZES[sizeClass] >= bytes && (freeCount[sizeClass] > 0 || addSlab(sizeClass))) {
                Buffer buffer = free[sizeClass][--freeCount[sizeClass]];
                buffer.taken = true;
                inUse++;
                return buffer;
            }
        }
        return null;
    }

    void give(Buffer buffer) {
        if (!buffer.taken) {
            throw new IllegalStateException("the buffer was given back twice");
        }
        buffer.taken = false;
        inUse--;
        put(buffer);
    }

    private void put(Buffer buffer) {
        int sizeClass = buffer.sizeClass;
        if (freeCount[sizeClass] == free[sizeClass].length) {
            free[sizeClass] = java.util.Arrays.copyOf(free[sizeClass], 2 * freeCount[sizeClass]);
        }
        free[sizeClass][freeCount[sizeClass]++] = buffer;
    }

    private boolean addSlab(int sizeClass) {
        if (heldBytes + SLAB_BYTES > limitBytes) {
            return false;
        }
        WireBuffer slab;
        try {
            slab = WireBuffer.allocateAligned(SLAB_BYTES, ALIGNMENT_BYTES);
        } catch (OutOfMemoryError e) {
            // The JVM's own limit of direct memory is below ours; commands are interrupted either way.
            limitBytes = heldBytes;
            return false;
        }
        heldBytes += SLAB_BYTES;
        for (int at = SLAB_BYTES - SIZES[sizeClass]; at >= 0; at -= SIZES[sizeClass]) {
            put(new Buffer(slab.slice(at, SIZES[sizeClass]), sizeClass));
        }
        return true;
    }

    /** How many buffers are taken; zero when every connection has gone. */
    int inUse() {
        return inUse;
    }
}
