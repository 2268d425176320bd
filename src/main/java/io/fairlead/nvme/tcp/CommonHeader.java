package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The common header of every PDU (section 3.6.1). */
public final class CommonHeader {

    public static final int BYTES = 8;
    public static final int TYPE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int HLEN_OFFSET = 2;
    public static final int PDO_OFFSET = 3;
    public static final int PLEN_OFFSET = 4;

    public static final int FLAG_HEADER_DIGEST = 1;
    public static final int FLAG_DATA_DIGEST = 1 << 1;
    /** Of H2CData and C2HData. */
    public static final int FLAG_LAST_PDU = 1 << 2;
    /** Of C2HData: no response capsule follows. */
    public static final int FLAG_SUCCESS = 1 << 3;

    /** Bytes of a header or data digest (section 3.3.1). */
    public static final int DIGEST_BYTES = 4;

    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private CommonHeader() {}

    public static int type(MemorySegment pdu, long at) {
        return u8(pdu, at + TYPE_OFFSET);
    }

    public static int flags(MemorySegment pdu, long at) {
        return u8(pdu, at + FLAGS_OFFSET);
    }

    public static int headerLength(MemorySegment pdu, long at) {
        return u8(pdu, at + HLEN_OFFSET);
    }

    public static int dataOffset(MemorySegment pdu, long at) {
        return u8(pdu, at + PDO_OFFSET);
    }

    /** PLEN is unsigned: up to 4 GiB. */
    public static long length(MemorySegment pdu, long at) {
        return u32(pdu, at + PLEN_OFFSET);
    }

    public static void put(MemorySegment pdu, long at, PduType type, int flags, int dataOffset, int length) {
        pdu.set(ValueLayout.JAVA_BYTE, at + TYPE_OFFSET, (byte) type.code());
        pdu.set(ValueLayout.JAVA_BYTE, at + FLAGS_OFFSET, (byte) flags);
        pdu.set(ValueLayout.JAVA_BYTE, at + HLEN_OFFSET, (byte) type.headerBytes());
        pdu.set(ValueLayout.JAVA_BYTE, at + PDO_OFFSET, (byte) dataOffset);
        pdu.set(U32, at + PLEN_OFFSET, length);
    }

    static int u8(MemorySegment segment, long at) {
        return segment.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    static int u16(MemorySegment segment, long at) {
        return segment.get(U16, at) & 0xFFFF;
    }

    static long u32(MemorySegment segment, long at) {
        return segment.get(U32, at) & 0xFFFF_FFFFL;
    }
}
