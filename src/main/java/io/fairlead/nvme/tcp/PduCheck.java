package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;

/** The checks of a whole header that need no knowledge of commands (sections 3.6.1 and 3.6.2). */
final class PduCheck {

    private PduCheck() {}

    /**
     * Checks the header and says how many bytes of data follow it.
     *
     * @throws PduFault naming the first field that is wrong
     */
    static int dataBytes(MemorySegment header, PduType type, int headerDigestBytes, Digests digests, int alignmentBytes)
            throws PduFault {
        return switch (type) {
            case IC_REQ -> icReq(header);
            case IC_RESP -> icResp(header);
            case H2C_TERM_REQ, C2H_TERM_REQ -> termReq(header);
            case CAPSULE_RESP -> withoutData(header, type.headerBytes() + headerDigestBytes);
            case R2T -> r2t(header, type.headerBytes() + headerDigestBytes);
            case CAPSULE_CMD -> {
                int plain = type.headerBytes() + headerDigestBytes;
                yield CommonHeader.length(header, 0) == plain ? 0 : withData(header, plain, digests, alignmentBytes);
            }
            case H2C_DATA ->
                transfer(header, type.headerBytes() + headerDigestBytes, digests, alignmentBytes, H2cData.DATAL_OFFSET);
            case C2H_DATA -> c2hData(header, type.headerBytes() + headerDigestBytes, digests, alignmentBytes);
        };
    }

    private static int icReq(MemorySegment header) throws PduFault {
        withoutData(header, IcReq.BYTES);
        if (IcReq.formatVersion(header, 0) != IcReq.FORMAT_VERSION) {
            throw PduFault.unsupported(IcReq.PFV_OFFSET, "PFV is not 0");
        }
        if (IcReq.hostDataAlignment(header, 0) > IcReq.DATA_ALIGNMENT_MAX) {
            throw PduFault.invalidField(IcReq.HPDA_OFFSET, "HPDA is above 31");
        }
        return 0;
    }

    private static int icResp(MemorySegment header) throws PduFault {
        withoutData(header, IcResp.BYTES);
        if (IcResp.formatVersion(header, 0) != IcReq.FORMAT_VERSION) {
            throw PduFault.unsupported(IcResp.PFV_OFFSET, "PFV is not 0");
        }
        if (IcResp.controllerDataAlignment(header, 0) > IcReq.DATA_ALIGNMENT_MAX) {
            throw PduFault.invalidField(IcResp.CPDA_OFFSET, "CPDA is above 31");
        }
        long maxH2cData = IcResp.maxH2cData(header, 0);
        if (maxH2cData < IcResp.MAXH2CDATA_MIN || maxH2cData % 4 != 0) {
            throw PduFault.invalidField(IcResp.MAXH2CDATA_OFFSET, "MAXH2CDATA is below 4096 or no multiple of 4");
        }
        return 0;
    }

    /** The offending header that follows is told as data, which a handler may drop. */
    private static int termReq(MemorySegment header) throws PduFault {
        long length = CommonHeader.length(header, 0);
        if (length < TermReq.HEADER_BYTES || length > TermReq.BYTES_MAX) {
            throw wrongLength();
        }
        return (int) length - TermReq.HEADER_BYTES;
    }

    private static int withoutData(MemorySegment header, int expectedLength) throws PduFault {
        if (CommonHeader.length(header, 0) != expectedLength) {
            throw wrongLength();
        }
        return 0;
    }

    private static int r2t(MemorySegment header, int expectedLength) throws PduFault {
        withoutData(header, expectedLength);
        if (R2t.dataLength(header, 0) == 0) {
            throw PduFault.invalidField(R2t.R2TL_OFFSET, "R2TL is 0");
        }
        return 0;
    }

    private static int withData(MemorySegment header, int headerEnd, Digests digests, int alignmentBytes)
            throws PduFault {
        if (CommonHeader.length(header, 0) < headerEnd) {
            throw wrongLength();
        }
        int dataOffset = CommonHeader.dataOffset(header, 0);
        if (dataOffset < headerEnd || dataOffset % alignmentBytes != 0) {
            throw PduFault.invalidField(
                    CommonHeader.PDO_OFFSET, "PDO points into the header or is not aligned as agreed");
        }
        if (((CommonHeader.flags(header, 0) & CommonHeader.FLAG_DATA_DIGEST) != 0) != digests.ofData()) {
            throw PduFault.invalidField(
                    CommonHeader.FLAGS_OFFSET, "the data digest flag does not fit what was negotiated");
        }
        int trailer = digests.ofData() ? CommonHeader.DIGEST_BYTES : 0;
        long data = CommonHeader.length(header, 0) - dataOffset - trailer;
        if (data <= 0 || data > Integer.MAX_VALUE) {
            throw wrongLength();
        }
        return (int) data;
    }

    private static int transfer(
            MemorySegment header, int headerEnd, Digests digests, int alignmentBytes, int lengthField) throws PduFault {
        int data = withData(header, headerEnd, digests, alignmentBytes);
        if (CommonHeader.u32(header, lengthField) != data) {
            throw PduFault.invalidField(lengthField, "DATAL is not what PLEN leaves for data");
        }
        return data;
    }

    private static int c2hData(MemorySegment header, int headerEnd, Digests digests, int alignmentBytes)
            throws PduFault {
        int flags = CommonHeader.flags(header, 0);
        if ((flags & CommonHeader.FLAG_SUCCESS) != 0 && (flags & CommonHeader.FLAG_LAST_PDU) == 0) {
            throw PduFault.invalidField(CommonHeader.FLAGS_OFFSET, "SUCCESS without LAST_PDU");
        }
        return transfer(header, headerEnd, digests, alignmentBytes, C2hData.DATAL_OFFSET);
    }

    private static PduFault wrongLength() {
        return PduFault.invalidField(CommonHeader.PLEN_OFFSET, "PLEN does not fit the PDU");
    }
}
