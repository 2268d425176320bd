package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * Writes PDU headers with their digests, up to where the data starts. The data itself is sent from where it lies, and {@link
 * #dataDigest} makes what follows it. One per connection, used by the thread that owns the connection.
 *
 * <p>Every method returns how many bytes it wrote at {@code at}: header, digest and padding.
 */
public final class PduWriter {

    /** The most that any header takes with digest and padding: PDO is one byte and a multiple of at most 128. */
    public static final int HEADER_BYTES_MAX = 256;

    /** Whether a data PDU is the last of its transfer. */
    public enum Position {
        MORE_FOLLOW(0),
        LAST(CommonHeader.FLAG_LAST_PDU),
        /** C2HData only: the last, and the command succeeded without a response capsule. */
        LAST_AND_SUCCESS(CommonHeader.FLAG_LAST_PDU | CommonHeader.FLAG_SUCCESS);

        private final int flags;

        Position(int flags) {
            this.flags = flags;
        }
    }

    private final CRC32C crc = new CRC32C();
    private Digests digests = Digests.NONE;
    private int alignmentBytes = 4;

    /** @param alignmentBytes what the peer asked PDO to be a multiple of: (PDA + 1) × 4 */
    public void onHandshakeDone(Digests agreed, int alignmentBytes) {
        this.digests = agreed;
        this.alignmentBytes = alignmentBytes;
    }

    public Digests digests() {
        return digests;
    }

    public int icReq(WireBuffer out, int at, int hostDataAlignment, Digests offered, int maxR2t) {
        MemorySegment pdu = cleared(out, at, IcReq.BYTES);
        CommonHeader.put(pdu, at, PduType.IC_REQ, 0, 0, IcReq.BYTES);
        pdu.set(CommonHeader.U16, at + IcReq.PFV_OFFSET, (short) IcReq.FORMAT_VERSION);
        pdu.set(ValueLayout.JAVA_BYTE, at + IcReq.HPDA_OFFSET, (byte) hostDataAlignment);
        pdu.set(ValueLayout.JAVA_BYTE, at + IcReq.DGST_OFFSET, (byte) offered.code());
        pdu.set(CommonHeader.U32, at + IcReq.MAXR2T_OFFSET, maxR2t);
        return IcReq.BYTES;
    }

    public int icResp(WireBuffer out, int at, int controllerDataAlignment, Digests agreed, int maxH2cDataBytes) {
        MemorySegment pdu = cleared(out, at, IcResp.BYTES);
        CommonHeader.put(pdu, at, PduType.IC_RESP, 0, 0, IcResp.BYTES);
        pdu.set(CommonHeader.U16, at + IcResp.PFV_OFFSET, (short) IcReq.FORMAT_VERSION);
        pdu.set(ValueLayout.JAVA_BYTE, at + IcResp.CPDA_OFFSET, (byte) controllerDataAlignment);
        pdu.set(ValueLayout.JAVA_BYTE, at + IcResp.DGST_OFFSET, (byte) agreed.code());
        pdu.set(CommonHeader.U32, at + IcResp.MAXH2CDATA_OFFSET, maxH2cDataBytes);
        return IcResp.BYTES;
    }

    /** The termination request for a fault, with the header that caused it. */
    public int termReq(
            WireBuffer out, int at, PduDirection direction, PduFault fault, MemorySegment header, int headerBytes) {
        int length = TermReq.HEADER_BYTES + Math.min(headerBytes, TermReq.OFFENDING_HEADER_BYTES_MAX);
        MemorySegment pdu = cleared(out, at, TermReq.HEADER_BYTES);
        PduType type = switch (direction) {
            case HOST_TO_CONTROLLER -> PduType.H2C_TERM_REQ;
            case CONTROLLER_TO_HOST -> PduType.C2H_TERM_REQ;
        };
        CommonHeader.put(pdu, at, type, 0, 0, length);
        pdu.set(CommonHeader.U16, at + TermReq.FES_OFFSET, (short) fault.error().code());
        pdu.set(CommonHeader.U32, at + TermReq.FEI_OFFSET, fault.information());
        MemorySegment.copy(header, 0, pdu, at + TermReq.HEADER_BYTES, length - TermReq.HEADER_BYTES);
        return length;
    }

    public int capsuleCmd(WireBuffer out, int at, MemorySegment sqe, long sqeAt, int inCapsuleBytes) {
        MemorySegment pdu = out.segment();
        int end = putCommon(out, at, PduType.CAPSULE_CMD, 0, inCapsuleBytes);
        MemorySegment.copy(sqe, sqeAt, pdu, at + CapsuleCmd.SQE_OFFSET, CapsuleCmd.SQE_BYTES);
        putHeaderDigest(out, at, CapsuleCmd.HEADER_BYTES);
        return end;
    }

    public int capsuleResp(WireBuffer out, int at, MemorySegment cqe, long cqeAt) {
        MemorySegment pdu = out.segment();
        int end = putCommon(out, at, PduType.CAPSULE_RESP, 0, 0);
        MemorySegment.copy(cqe, cqeAt, pdu, at + CapsuleResp.CQE_OFFSET, CapsuleResp.CQE_BYTES);
        putHeaderDigest(out, at, CapsuleResp.HEADER_BYTES);
        return end;
    }

    public int h2cData(
            WireBuffer out, int at, int commandId, int transferTag, int dataOffset, int dataLength, Position position) {
        int end = putCommon(out, at, PduType.H2C_DATA, position.flags, dataLength);
        putTransfer(out, at, commandId, transferTag, dataOffset, dataLength);
        return end;
    }

    public int c2hData(WireBuffer out, int at, int commandId, int dataOffset, int dataLength, Position position) {
        int end = putCommon(out, at, PduType.C2H_DATA, position.flags, dataLength);
        putTransfer(out, at, commandId, 0, dataOffset, dataLength);
        return end;
    }

    public int r2t(WireBuffer out, int at, int commandId, int transferTag, int dataOffset, int dataLength) {
        int end = putCommon(out, at, PduType.R2T, 0, 0);
        putTransfer(out, at, commandId, transferTag, dataOffset, dataLength);
        return end;
    }

    /** What follows the data: its digest, or nothing when none was agreed. */
    public int dataDigest(WireBuffer out, int at, WireBuffer data, int dataAt, int dataLength) {
        if (!digests.ofData()) {
            return 0;
        }
        crc.reset();
        data.feed(crc, dataAt, dataLength);
        out.segment().set(CommonHeader.U32, at, (int) crc.getValue());
        return CommonHeader.DIGEST_BYTES;
    }

    /** Writes the common header and the padding, and returns where the data starts, from {@code at}. */
    private int putCommon(WireBuffer out, int at, PduType type, int typeFlags, int dataLength) {
        int headerEnd = type.headerBytes() + (digests.ofHeader() ? CommonHeader.DIGEST_BYTES : 0);
        int flags = typeFlags | (digests.ofHeader() ? CommonHeader.FLAG_HEADER_DIGEST : 0);
        if (dataLength == 0) {
            CommonHeader.put(out.segment(), at, type, flags, 0, headerEnd);
            return headerEnd;
        }
        int dataOffset = (headerEnd + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
        int trailer = 0;
        if (digests.ofData()) {
            flags |= CommonHeader.FLAG_DATA_DIGEST;
            trailer = CommonHeader.DIGEST_BYTES;
        }
        CommonHeader.put(out.segment(), at, type, flags, dataOffset, dataOffset + dataLength + trailer);
        for (int pad = headerEnd; pad < dataOffset; pad++) {
            out.segment().set(ValueLayout.JAVA_BYTE, (long) at + pad, (byte) 0);
        }
        return dataOffset;
    }

    /** H2CData, C2HData and R2T have the same fields at the same offsets. */
    private void putTransfer(WireBuffer out, int at, int commandId, int transferTag, int dataOffset, int dataLength) {
        MemorySegment pdu = out.segment();
        pdu.set(CommonHeader.U16, at + H2cData.CCCID_OFFSET, (short) commandId);
        pdu.set(CommonHeader.U16, at + H2cData.TTAG_OFFSET, (short) transferTag);
        pdu.set(CommonHeader.U32, at + H2cData.DATAO_OFFSET, dataOffset);
        pdu.set(CommonHeader.U32, at + H2cData.DATAL_OFFSET, dataLength);
        pdu.set(CommonHeader.U32, at + 20L, 0);
        putHeaderDigest(out, at, H2cData.HEADER_BYTES);
    }

    private void putHeaderDigest(WireBuffer out, int at, int headerBytes) {
        if (digests.ofHeader()) {
            crc.reset();
            out.feed(crc, at, headerBytes);
            out.segment().set(CommonHeader.U32, (long) at + headerBytes, (int) crc.getValue());
        }
    }

    private static MemorySegment cleared(WireBuffer out, int at, int length) {
        MemorySegment pdu = out.segment();
        for (int offset = 0; offset < length; offset++) {
            pdu.set(ValueLayout.JAVA_BYTE, (long) at + offset, (byte) 0);
        }
        return pdu;
    }
}
