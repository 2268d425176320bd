package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.LittleEndian.u16;
import static io.fairlead.nvme.wire.LittleEndian.u64;

import java.lang.foreign.MemorySegment;

/** Completion queue entry (NVM Express Base 2.0, section 3.3.3.2). */
public final class CompletionEntry {

    public static final int BYTES = 16;

    public static final int RESULT_OFFSET = 0;
    public static final int SQHD_OFFSET = 8;
    public static final int CID_OFFSET = 12;
    public static final int STATUS_OFFSET = 14;

    private CompletionEntry() {}

    public static void put(MemorySegment cqe, long result, int sqhd, int cid, int status) {
        u64(cqe, RESULT_OFFSET, result);
        u16(cqe, SQHD_OFFSET, sqhd);
        u16(cqe, SQHD_OFFSET + 2, 0);
        u16(cqe, CID_OFFSET, cid);
        u16(cqe, STATUS_OFFSET, status);
    }

    /** Dwords 0 and 1. */
    public static long result(MemorySegment cqe) {
        return u64(cqe, RESULT_OFFSET);
    }

    public static int sqhd(MemorySegment cqe) {
        return u16(cqe, SQHD_OFFSET);
    }

    public static int cid(MemorySegment cqe) {
        return u16(cqe, CID_OFFSET);
    }

    /** The whole status field, as {@link io.fairlead.nvme.spec.StatusCode#field} makes it. */
    public static int status(MemorySegment cqe) {
        return u16(cqe, STATUS_OFFSET);
    }
}
