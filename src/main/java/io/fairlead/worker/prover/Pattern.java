package io.fairlead.worker.prover;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Data that says of itself what it is: each logical block starts with seed, LBA and version, and the rest follows from these. So a block
 * that is old, torn, or from another place is told from one that is right.
 *
 * @param seed of the whole run
 * @param lbaBytes a multiple of 8
 */
record Pattern(long seed, int lbaBytes) {

    /** What a block that does not follow the pattern has as version. */
    static final long DAMAGED = -1;

    private static final int LBA_OFFSET = 8;
    private static final int VERSION_OFFSET = 16;
    private static final int FILL_OFFSET = 24;

    /** Fills whole blocks. */
    void fill(MemorySegment data, long firstLba, long version) {
        for (long at = 0; at < data.byteSize(); at += lbaBytes) {
            long lba = firstLba + at / lbaBytes;
            data.set(ValueLayout.JAVA_LONG_UNALIGNED, at, seed);
            data.set(ValueLayout.JAVA_LONG_UNALIGNED, at + LBA_OFFSET, lba);
            data.set(ValueLayout.JAVA_LONG_UNALIGNED, at + VERSION_OFFSET, version);
            long state = start(lba, version);
            for (int offset = FILL_OFFSET; offset < lbaBytes; offset += Long.BYTES) {
                state = next(state);
                data.set(ValueLayout.JAVA_LONG_UNALIGNED, at + offset, state);
            }
        }
    }

    /** The version of one block, or {@link #DAMAGED}. */
    long versionAt(MemorySegment data, long at, long lba) {
        long version = data.get(ValueLayout.JAVA_LONG_UNALIGNED, at + VERSION_OFFSET);
        if (version < 0
                || data.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != seed
                || data.get(ValueLayout.JAVA_LONG_UNALIGNED, at + LBA_OFFSET) != lba) {
            return DAMAGED;
        }
        long state = start(lba, version);
        for (int offset = FILL_OFFSET; offset < lbaBytes; offset += Long.BYTES) {
            state = next(state);
            if (data.get(ValueLayout.JAVA_LONG_UNALIGNED, at + offset) != state) {
                return DAMAGED;
            }
        }
        return version;
    }

    private long start(long lba, long version) {
        long mixed = seed ^ lba * 0x9E37_79B9_7F4A_7C15L ^ version * 0xC2B2_AE3D_27D4_EB4FL;
        return mixed == 0 ? 1 : mixed;
    }

    /** Xorshift: not random enough for anything but this. */
    private static long next(long state) {
        long next = state;
        next ^= next << 13;
        next ^= next >>> 7;
        next ^= next << 17;
        return next;
    }
}
