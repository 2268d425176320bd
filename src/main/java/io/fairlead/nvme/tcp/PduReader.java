package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Turns a stream of bytes, cut anywhere, into PDUs. One per connection and direction, used by the thread that owns the connection.
 *
 * <pre>
 *   COMMON ─ 8 bytes ─▶ HEADER ─ HLEN, digest ─▶ PADDING ─ PDO ─▶ DATA ─▶ DATA_DIGEST ─▶ COMMON
 *      any fault ─▶ FAILED: everything that still arrives is swallowed
 * </pre>
 *
 * <p>Type, HLEN and the digest flag are checked first because they say how long the header is; then the header digest; then all other
 * fields, so that a damaged header is told as damage. The reader starts in the handshake and accepts only ICReq or ICResp (and
 * termination) until {@link #onHandshakeDone} was called.
 */
public final class PduReader {

    /** One sentence per state: what the next byte belongs to. */
    private enum State {
        /** The common header. */
        COMMON,
        /** The rest of the header and its digest. */
        HEADER,
        /** The bytes between the header and PDO. */
        PADDING,
        /** The data. */
        DATA,
        /** The data digest. */
        DATA_DIGEST,
        /** Nothing: a fault was told. */
        FAILED
    }

    private final PduDirection direction;
    private final PduHandler handler;
    private final int capsuleDataBytesMax;
    private final int transferBytesMax;
    private final WireBuffer header = WireBuffer.allocate(IcReq.BYTES + CommonHeader.DIGEST_BYTES);
    private final MemorySegment headerSegment = header.segment();
    private final CRC32C crc = new CRC32C();

    private State state = State.COMMON;
    private boolean handshakeDone;
    private Digests digests = Digests.NONE;
    private int alignmentBytes = 4;

    private int have;
    private int need = CommonHeader.BYTES;
    private PduType type;
    private int headerDigestBytes;
    private int dataBytes;
    private int dataDone;
    private boolean dataDigested;
    private boolean dataDigestMatches;
    private WireBuffer target;
    private int targetAt;

    /**
     * @param direction of the PDUs that will be read
     * @param capsuleDataBytesMax most bytes of data in a command capsule
     * @param transferBytesMax most bytes of data in one H2CData (the MAXH2CDATA we gave) or C2HData
     */
    public PduReader(PduDirection direction, PduHandler handler, int capsuleDataBytesMax, int transferBytesMax) {
        this.direction = direction;
        this.handler = handler;
        this.capsuleDataBytesMax = capsuleDataBytesMax;
        this.transferBytesMax = transferBytesMax;
    }

    /**
     * Called by the handler within {@link PduHandler#onPdu} of the ICReq or ICResp.
     *
     * @param alignmentBytes what PDO must be a multiple of: (CPDA + 1) × 4 at the target, (HPDA + 1) × 4 at the host
     */
    public void onHandshakeDone(Digests agreed, int alignmentBytes) {
        this.handshakeDone = true;
        this.digests = agreed;
        this.alignmentBytes = alignmentBytes;
    }

    /**
     * Takes {@code length} bytes of input and tells the handler of all that they complete.
     *
     * @throws PduFault once, for the first thing that is wrong; the input after it is lost on purpose
     */
    public void read(WireBuffer input, int from, int length) throws PduFault {
        int at = from;
        int end = from + length;
        try {
            while (at < end && state != State.FAILED) {
                at += switch (state) {
                    case COMMON, HEADER -> takeHeader(input, at, end - at);
                    case PADDING -> takePadding(end - at);
                    case DATA -> takeData(input, at, end - at);
                    case DATA_DIGEST -> takeDataDigest(input, at, end - at);
                    case FAILED -> end - at;
                };
            }
        } catch (PduFault fault) {
            state = State.FAILED;
            throw fault;
        }
    }

    /** The type of the current PDU. */
    public PduType type() {
        return type;
    }

    /** The current header, at offset 0. */
    public MemorySegment header() {
        return headerSegment;
    }

    /** For the termination request: as many bytes of the current header as arrived. */
    public int headerBytesArrived() {
        return Math.min(have, headerLimit());
    }

    public int flags() {
        return CommonHeader.flags(headerSegment, 0);
    }

    /** How many bytes of data the current PDU has. */
    public int dataBytes() {
        return dataBytes;
    }

    /** Says where the data of the current PDU goes. Within {@link PduHandler#onHeader} only. */
    public void dataInto(WireBuffer buffer, int offset) {
        java.util.Objects.checkFromIndexSize(offset, dataBytes, buffer.capacity());
        target = buffer;
        targetAt = offset;
    }

    /** True when data came without a digest, or with the right one. */
    public boolean dataDigestMatches() {
        return dataDigestMatches;
    }

    /** How many bytes of data are still to come and have a place to go: a caller may read them from its socket right there. */
    public int directBytesWanted() {
        return state == State.DATA && target != null ? dataBytes - dataDone : 0;
    }

    /** Where the bytes of {@link #directBytesWanted()} go. */
    public WireBuffer directBuffer() {
        return target;
    }

    /** The offset in {@link #directBuffer()} of the next of them. */
    public int directOffset() {
        return targetAt + dataDone;
    }

    /** The caller put so many bytes there by itself. */
    public void onDirectBytes(int count) throws PduFault {
        java.util.Objects.checkIndex(count, directBytesWanted() + 1);
        if (dataDigested) {
            target.feed(crc, targetAt + dataDone, count);
        }
        dataDone += count;
        try {
            finishDataIfWhole();
        } catch (PduFault fault) {
            state = State.FAILED;
            throw fault;
        }
    }

    /** Whether the stream may end here without cutting a PDU. */
    public boolean isBetweenPdus() {
        return state == State.COMMON && have == 0;
    }

    private int headerLimit() {
        return type == null ? CommonHeader.BYTES : type.headerBytes();
    }

    private int takeHeader(WireBuffer input, int at, int available) throws PduFault {
        int count = Math.min(available, need - have);
        MemorySegment.copy(input.segment(), at, headerSegment, have, count);
        have += count;
        if (have == need) {
            if (state == State.COMMON) {
                onCommonHeader();
            } else {
                onWholeHeader();
            }
        }
        return count;
    }

    private void onCommonHeader() throws PduFault {
        type = checkedType(PduType.of(CommonHeader.type(headerSegment, 0)));
        if (CommonHeader.headerLength(headerSegment, 0) != type.headerBytes()) {
            throw PduFault.invalidField(CommonHeader.HLEN_OFFSET, "HLEN does not fit the PDU type");
        }
        headerDigestBytes = digests.ofHeader() && type.mayHaveDigests() ? CommonHeader.DIGEST_BYTES : 0;
        boolean flagged = (flags() & CommonHeader.FLAG_HEADER_DIGEST) != 0;
        if (type.mayHaveDigests() && flagged != (headerDigestBytes != 0)) {
            throw PduFault.invalidField(
                    CommonHeader.FLAGS_OFFSET, "the header digest flag does not fit what was negotiated");
        }
        state = State.HEADER;
        need = type.headerBytes() + headerDigestBytes;
    }

    private PduType checkedType(PduType found) throws PduFault {
        if (found == null) {
            throw PduFault.invalidField(CommonHeader.TYPE_OFFSET, "there is no such PDU type");
        }
        if (found.direction() != direction) {
            throw PduFault.of(FatalError.PDU_SEQUENCE_ERROR, found + " travels the other way");
        }
        if (found.isHandshake() == handshakeDone && !found.isTermination()) {
            throw PduFault.of(
                    FatalError.PDU_SEQUENCE_ERROR,
                    handshakeDone ? found + " after the handshake" : found + " before the handshake");
        }
        return found;
    }

    private void onWholeHeader() throws PduFault {
        if (headerDigestBytes != 0) {
            checkHeaderDigest();
        }
        dataBytes = PduCheck.dataBytes(headerSegment, type, headerDigestBytes, digests, alignmentBytes);
        checkDataLimit();
        dataDone = 0;
        dataDigested = dataBytes > 0 && digests.ofData() && type.mayHaveDigests();
        dataDigestMatches = true;
        target = null;
        handler.onHeader(this);
        if (dataBytes == 0) {
            finish();
            return;
        }
        have = need;
        need = type.isTermination() ? have : CommonHeader.dataOffset(headerSegment, 0);
        if (have < need) {
            state = State.PADDING;
        } else {
            startData();
        }
    }

    private void checkHeaderDigest() throws PduFault {
        crc.reset();
        header.feed(crc, 0, type.headerBytes());
        if ((int) crc.getValue() != headerSegment.get(CommonHeader.U32, type.headerBytes())) {
            throw PduFault.of(FatalError.HEADER_DIGEST_ERROR, "the header digest is wrong");
        }
    }

    private void checkDataLimit() throws PduFault {
        int limit = switch (type) {
            case CAPSULE_CMD -> capsuleDataBytesMax;
            case H2C_DATA, C2H_DATA -> transferBytesMax;
            case IC_REQ, IC_RESP, H2C_TERM_REQ, C2H_TERM_REQ, CAPSULE_RESP, R2T -> Integer.MAX_VALUE;
        };
        if (dataBytes > limit) {
            throw PduFault.of(
                    FatalError.TRANSFER_LIMIT_EXCEEDED, dataBytes + " bytes of data where " + limit + " may be");
        }
    }

    private int takePadding(int available) {
        int count = Math.min(available, need - have);
        have += count;
        if (have == need) {
            startData();
        }
        return count;
    }

    private void startData() {
        state = State.DATA;
        if (dataDigested) {
            crc.reset();
        }
    }

    private int takeData(WireBuffer input, int at, int available) throws PduFault {
        int count = Math.min(available, dataBytes - dataDone);
        if (dataDigested) {
            input.feed(crc, at, count);
        }
        if (target != null) {
            MemorySegment.copy(input.segment(), at, target.segment(), (long) targetAt + dataDone, count);
        }
        dataDone += count;
        finishDataIfWhole();
        return count;
    }

    private void finishDataIfWhole() throws PduFault {
        if (dataDone < dataBytes) {
            return;
        }
        if (dataDigested) {
            // The digest is gathered behind the header, whose own digest has been used by now.
            state = State.DATA_DIGEST;
            have = type.headerBytes();
            need = have + CommonHeader.DIGEST_BYTES;
        } else {
            finish();
        }
    }

    private int takeDataDigest(WireBuffer input, int at, int available) throws PduFault {
        int count = Math.min(available, need - have);
        MemorySegment.copy(input.segment(), at, headerSegment, have, count);
        have += count;
        if (have == need) {
            dataDigestMatches = (int) crc.getValue() == headerSegment.get(CommonHeader.U32, type.headerBytes());
            finish();
        }
        return count;
    }

    private void finish() throws PduFault {
        handler.onPdu(this);
        state = State.COMMON;
        have = 0;
        need = CommonHeader.BYTES;
        type = null;
        target = null;
    }
}
