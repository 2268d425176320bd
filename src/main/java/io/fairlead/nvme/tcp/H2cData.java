package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** Host to Controller Data Transfer (section 3.6.2.8). */
public final class H2cData {

    public static final int HEADER_BYTES = 24;
    public static final int CCCID_OFFSET = 8;
    public static final int TTAG_OFFSET = 10;
    public static final int DATAO_OFFSET = 12;
    public static final int DATAL_OFFSET = 16;

    private H2cData() {}

    /** The identifier of the command whose data this is. */
    public static int commandId(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + CCCID_OFFSET);
    }

    public static int transferTag(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + TTAG_OFFSET);
    }

    /** Where the data starts, from the start of the command's data. */
    public static long dataOffset(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + DATAO_OFFSET);
    }

    public static long dataLength(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + DATAL_OFFSET);
    }
}
