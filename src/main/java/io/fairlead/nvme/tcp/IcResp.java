package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** Initialize Connection Response (section 3.6.2.3). */
public final class IcResp {

    public static final int BYTES = 128;
    public static final int PFV_OFFSET = 8;
    public static final int CPDA_OFFSET = 10;
    public static final int DGST_OFFSET = 11;
    public static final int MAXH2CDATA_OFFSET = 12;

    /** MAXH2CDATA is a multiple of four and not below this. */
    public static final int MAXH2CDATA_MIN = 4096;

    private IcResp() {}

    public static int formatVersion(MemorySegment pdu, long at) {
        return CommonHeader.u16(pdu, at + PFV_OFFSET);
    }

    /** CPDA: dwords of alignment of data in capsules and H2CData, less one. */
    public static int controllerDataAlignment(MemorySegment pdu, long at) {
        return CommonHeader.u8(pdu, at + CPDA_OFFSET);
    }

    public static Digests digests(MemorySegment pdu, long at) {
        return Digests.of(CommonHeader.u8(pdu, at + DGST_OFFSET));
    }

    /** Most bytes of data in one H2CData PDU. */
    public static long maxH2cData(MemorySegment pdu, long at) {
        return CommonHeader.u32(pdu, at + MAXH2CDATA_OFFSET);
    }
}
