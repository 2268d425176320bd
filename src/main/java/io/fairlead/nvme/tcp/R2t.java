package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** Ready to Transfer (section 3.6.2.10). */
public final class R2t {

    public static final int HEADER_BYTES = 24;
    public static final int CCCID_OFFSET = 8;
    public static final int TTAG_OFFSET = 10;
    public static final int R2TO_OFFSET = 12;
    public static final int R2TL_OFFSET = 16;

    private R2t() {}

    /** The identifier of the command whose data this is. */
    public static int commandId(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + CCCID_OFFSET);
    }

    public static int transferTag(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + TTAG_OFFSET);
    }

    /** Where the data starts, from the start of the command's data. */
    public static long dataOffset(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + R2TO_OFFSET);
    }

    public static long dataLength(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + R2TL_OFFSET);
    }
}
