package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** Initialize Connection Request (section 3.6.2.2). */
public final class IcReq {

    public static final int BYTES = 128;
    public static final int PFV_OFFSET = 8;
    public static final int HPDA_OFFSET = 10;
    public static final int DGST_OFFSET = 11;
    public static final int MAXR2T_OFFSET = 12;

    /** The only PDU format version there is. */
    public static final int FORMAT_VERSION = 0;

    /** The largest HPDA or CPDA: 128 bytes. */
    public static final int DATA_ALIGNMENT_MAX = 31;

    private IcReq() {}

    public static int formatVersion(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + PFV_OFFSET);
    }

    /** HPDA: dwords of alignment of data in C2HData, less one. */
    public static int hostDataAlignment(MemorySegment pdu, long at) {
        return CommonHeader.u8(pdu, at + HPDA_OFFSET);
    }

    public static Digests digests(MemorySegment pdu, long at) {
        return Digests.of(CommonHeader.u8(pdu, at + DGST_OFFSET));
    }

    /** MAXR2T: R2Ts that may be outstanding for one command, less one. */
    public static long maxR2t(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + MAXR2T_OFFSET);
    }
}
