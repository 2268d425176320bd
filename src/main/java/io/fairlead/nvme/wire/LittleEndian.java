package io.fairlead.nvme.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads and writes the integers and texts of the specification: little endian, unaligned, unsigned where the type allows. */
public final class LittleEndian {

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    public static int u8(MemorySegment segment, long at) {
        return Byte.toUnsignedInt(segment.get(ValueLayout.JAVA_BYTE, at));
    }

    public static void u8(MemorySegment segment, long at, int value) {
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    public static int u16(MemorySegment segment, long at) {
        return Short.toUnsignedInt(segment.get(U16, at));
    }

    public static void u16(MemorySegment segment, long at, int value) {
        segment.set(U16, at, (short) value);
    }

    public static long u32(MemorySegment segment, long at) {
        return Integer.toUnsignedLong(segment.get(U32, at));
    }

    public static void u32(MemorySegment segment, long at, long value) {
        segment.set(U32, at, (int) value);
    }

    /** All 64 bits; above 2^63 it is negative. */
    public static long u64(MemorySegment segment, long at) {
        return segment.get(U64, at);
    }

    public static void u64(MemorySegment segment, long at, long value) {
        segment.set(U64, at, value);
    }

    /** A text in a field that is padded with {@code padding}; what does not fit is a programming error. */
    public static void text(MemorySegment segment, long at, int fieldBytes, String text, char padding) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > fieldBytes) {
            throw new IllegalArgumentException(bytes.length + " bytes in a field of " + fieldBytes);
        }
        segment.asSlice(at, fieldBytes).fill((byte) padding);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    /**
     * A text that ends at the first NUL of its field.
     *
     * @return null when the field has no NUL, so that the text would have no end
     */
    public static String text(MemorySegment segment, long at, int fieldBytes) {
        for (int length = 0; length < fieldBytes; length++) {
            if (segment.get(ValueLayout.JAVA_BYTE, at + length) == 0) {
                byte[] bytes = segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
                return new String(bytes, StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
