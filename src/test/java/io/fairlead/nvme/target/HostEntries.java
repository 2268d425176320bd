package io.fairlead.nvme.target;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Submission queue entries as a host writes them, from the figures of the specification by hand: nothing here shares a constant with the
 * code under test.
 */
final class HostEntries {

    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final int CAP = 0x00;
    static final int VS = 0x08;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;
    static final int CRTO = 0x68;

    private HostEntries() {}

    /** With PSDT for SGLs and a descriptor of no data. */
    static MemorySegment entry(int opcode, long nsid) {
        MemorySegment sqe = MemorySegment.ofArray(new byte[64]);
        sqe.set(ValueLayout.JAVA_BYTE, 0, (byte) opcode);
        sqe.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x40);
        sqe.set(U32, 4, (int) nsid);
        sqe.set(ValueLayout.JAVA_BYTE, 39, (byte) 0x5A);
        return sqe;
    }

    static MemorySegment withCid(MemorySegment sqe, int cid) {
        sqe.set(U16, 2, (short) cid);
        return sqe;
    }

    static MemorySegment withDword(MemorySegment sqe, int number, long value) {
        sqe.set(U32, number * 4L, (int) value);
        return sqe;
    }

    static MemorySegment inCapsule(MemorySegment sqe, int bytes) {
        sqe.set(U64, 24, 0);
        sqe.set(U32, 32, bytes);
        sqe.set(ValueLayout.JAVA_BYTE, 39, (byte) 0x01);
        return sqe;
    }

    static MemorySegment transport(MemorySegment sqe, int bytes) {
        sqe.set(U64, 24, 0);
        sqe.set(U32, 32, bytes);
        sqe.set(ValueLayout.JAVA_BYTE, 39, (byte) 0x5A);
        return sqe;
    }

    private static MemorySegment fabrics(int type) {
        MemorySegment sqe = entry(0x7F, 0);
        sqe.set(ValueLayout.JAVA_BYTE, 4, (byte) type);
        return sqe;
    }

    static MemorySegment connect(int qid, int sqSize, int attributes, int keepAliveMillis) {
        MemorySegment sqe = inCapsule(fabrics(0x01), 1024);
        sqe.set(U16, 42, (short) qid);
        sqe.set(U16, 44, (short) sqSize);
        sqe.set(ValueLayout.JAVA_BYTE, 46, (byte) attributes);
        sqe.set(U32, 48, keepAliveMillis);
        return sqe;
    }

    static byte[] connectData(UUID hostIdentifier, int cntlid, String subsystemNqn, String hostNqn) {
        ByteBuffer data = ByteBuffer.allocate(1024).order(ByteOrder.BIG_ENDIAN);
        data.putLong(0, hostIdentifier.getMostSignificantBits());
        data.putLong(8, hostIdentifier.getLeastSignificantBits());
        data.order(ByteOrder.LITTLE_ENDIAN).putShort(16, (short) cntlid);
        data.put(256, subsystemNqn.getBytes(StandardCharsets.UTF_8));
        data.put(512, hostNqn.getBytes(StandardCharsets.UTF_8));
        return data.array();
    }

    static MemorySegment propertyGet(int property, int bytes) {
        MemorySegment sqe = fabrics(0x04);
        sqe.set(ValueLayout.JAVA_BYTE, 40, (byte) (bytes == 8 ? 1 : 0));
        sqe.set(U32, 44, property);
        return sqe;
    }

    static MemorySegment propertySet(int property, int value) {
        MemorySegment sqe = fabrics(0x00);
        sqe.set(U32, 44, property);
        sqe.set(U64, 48, Integer.toUnsignedLong(value));
        return sqe;
    }

    static MemorySegment disconnect() {
        return fabrics(0x08);
    }

    static MemorySegment authenticationSend(int bytes) {
        return inCapsule(security(0x05, bytes), bytes);
    }

    static MemorySegment authenticationReceive(int bytes) {
        return transport(security(0x06, bytes), bytes);
    }

    private static MemorySegment security(int type, int bytes) {
        MemorySegment sqe = fabrics(type);
        sqe.set(ValueLayout.JAVA_BYTE, 41, (byte) 1);
        sqe.set(ValueLayout.JAVA_BYTE, 42, (byte) 1);
        sqe.set(ValueLayout.JAVA_BYTE, 43, (byte) 0xE9);
        sqe.set(U32, 44, bytes);
        return sqe;
    }

    static MemorySegment identify(int cns, long nsid) {
        return transport(withDword(entry(0x06, nsid), 10, cns), 4096);
    }

    static MemorySegment getLogPage(int page, int bytes, long offset, boolean retainEvent) {
        long dwords = bytes / 4 - 1;
        MemorySegment sqe = transport(entry(0x02, 0xFFFF_FFFFL), bytes);
        withDword(sqe, 10, page | (dwords & 0xFFFF) << 16 | (retainEvent ? 1 << 15 : 0));
        withDword(sqe, 11, dwords >>> 16);
        withDword(sqe, 12, offset);
        return withDword(sqe, 13, offset >>> 32);
    }

    static MemorySegment setFeatures(int feature, long value) {
        return withDword(withDword(entry(0x09, 0), 10, feature), 11, value);
    }

    static MemorySegment getFeatures(int feature) {
        return withDword(entry(0x0A, 0), 10, feature);
    }

    static MemorySegment eventRequest(int cid) {
        return withCid(entry(0x0C, 0), cid);
    }

    static MemorySegment keepAlive() {
        return entry(0x18, 0);
    }

    static MemorySegment abort(int queue, int cid) {
        return withDword(entry(0x08, 0), 10, (long) cid << 16 | queue);
    }

    private static MemorySegment range(int opcode, long nsid, long lba, int blocks) {
        MemorySegment sqe = entry(opcode, nsid);
        sqe.set(U64, 40, lba);
        return withDword(sqe, 12, blocks - 1L);
    }

    static MemorySegment read(long nsid, long lba, int blocks, int bytes) {
        return transport(range(0x02, nsid, lba, blocks), bytes);
    }

    static MemorySegment write(long nsid, long lba, int blocks, int bytes) {
        return transport(range(0x01, nsid, lba, blocks), bytes);
    }

    static MemorySegment flush(long nsid) {
        return entry(0x00, nsid);
    }

    static MemorySegment writeZeroes(long nsid, long lba, int blocks) {
        return range(0x08, nsid, lba, blocks);
    }

    /** Dataset Management that deallocates; the ranges come as data of 16 bytes each. */
    static MemorySegment deallocate(long nsid, int ranges, int bytes) {
        return inCapsule(withDword(withDword(entry(0x09, nsid), 10, ranges - 1L), 11, 1 << 2), bytes);
    }

    static byte[] rangeList(int bytes, long... lbaAndBlocks) {
        ByteBuffer list = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < lbaAndBlocks.length / 2; i++) {
            list.putInt(i * 16 + 4, (int) lbaAndBlocks[2 * i + 1]);
            list.putLong(i * 16 + 8, lbaAndBlocks[2 * i]);
        }
        return list.array();
    }
}
