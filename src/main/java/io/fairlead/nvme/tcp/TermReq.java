package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** Terminate Connection Request of the host or of the controller (sections 3.6.2.4 and 3.6.2.5). */
public final class TermReq {

    public static final int HEADER_BYTES = 24;
    public static final int FES_OFFSET = 8;
    public static final int FEI_OFFSET = 10;

    /** The header in error follows, cut at 128 bytes. */
    public static final int OFFENDING_HEADER_BYTES_MAX = 128;

    public static final int BYTES_MAX = HEADER_BYTES + OFFENDING_HEADER_BYTES_MAX;

    private TermReq() {}

    /** The code, which a peer may have from a later revision: compare with {@link FatalError#code()}. */
    public static int fatalError(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + FES_OFFSET);
    }

    public static long information(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + FEI_OFFSET);
    }
}
