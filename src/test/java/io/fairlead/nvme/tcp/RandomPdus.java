package io.fairlead.nvme.tcp;

import java.util.random.RandomGenerator;

/** Writes streams of valid PDUs of one direction, for tests. */
final class RandomPdus {

    static final int CAPSULE_DATA_MAX = 8192;
    static final int TRANSFER_MAX = 16384;

    private final RandomGenerator random;
    private final Digests digests;
    private final PduWriter writer = new PduWriter();
    private final WireBuffer data = WireBuffer.allocate(TRANSFER_MAX);
    private final WireBuffer sqe = WireBuffer.allocate(64);

    RandomPdus(RandomGenerator random, Digests digests, int alignmentBytes) {
        this.random = random;
        this.digests = digests;
        writer.onHandshakeDone(digests, alignmentBytes);
        fill(data);
        fill(sqe);
    }

    private void fill(WireBuffer buffer) {
        for (int at = 0; at < buffer.capacity(); at++) {
            buffer.bytes().put(at, (byte) random.nextInt());
        }
    }

    int handshake(WireBuffer out, int at, PduDirection direction) {
        return switch (direction) {
            case HOST_TO_CONTROLLER -> writer.icReq(out, at, 0, digests, 0);
            case CONTROLLER_TO_HOST -> writer.icResp(out, at, 0, digests, TRANSFER_MAX);
        };
    }

    /** Writes one PDU and returns where it ends. */
    int next(WireBuffer out, int at, PduDirection direction, int dataBytesMax) {
        int kind = random.nextInt(3);
        int bytes = 1 + random.nextInt(dataBytesMax);
        return switch (direction) {
            case HOST_TO_CONTROLLER ->
                switch (kind) {
                    case 0 -> at + writer.capsuleCmd(out, at, sqe.segment(), 0, 0);
                    case 1 -> withData(out, at + writer.capsuleCmd(out, at, sqe.segment(), 0, bytes), bytes);
                    default ->
                        withData(
                                out,
                                at
                                        + writer.h2cData(
                                                out, at, random.nextInt(65536), 7, 0, bytes, PduWriter.Position.LAST),
                                bytes);
                };
            case CONTROLLER_TO_HOST ->
                switch (kind) {
                    case 0 -> at + writer.capsuleResp(out, at, sqe.segment(), 0);
                    case 1 -> at + writer.r2t(out, at, random.nextInt(65536), 3, 0, bytes);
                    default ->
                        withData(
                                out,
                                at + writer.c2hData(out, at, random.nextInt(65536), 0, bytes, PduWriter.Position.LAST),
                                bytes);
                };
        };
    }

    private int withData(WireBuffer out, int at, int bytes) {
        out.bytes().put(at, data.bytes(), 0, bytes);
        int end = at + bytes;
        return end + writer.dataDigest(out, end, data, 0, bytes);
    }
}
