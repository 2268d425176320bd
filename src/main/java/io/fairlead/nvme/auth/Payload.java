package io.fairlead.nvme.auth;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Fields of a message's payload: the common header, and access that checks lengths. */
final class Payload {

    /** AUTH_TYPE, AUTH_ID, reserved, T_ID: what every message has. */
    static final int HEADER_BYTES = 6;

    static final int AUTH_TYPE_OFFSET = 0;
    static final int AUTH_ID_OFFSET = 1;
    static final int TRANSACTION_ID_OFFSET = 4;

    /** AUTH_TYPE of the messages common to all protocols. */
    static final int COMMON_TYPE = 0;
    /** AUTH_TYPE of DH-HMAC-CHAP. */
    static final int DHCHAP_TYPE = 1;

    static final ValueLayout.OfShort LE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt LE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Payload() {}

    static AuthFault malformed(String sentence) {
        return new AuthFault(AuthRefusal.malformed(sentence));
    }

    /** Asks for exactly this many bytes. */
    static void requireBytes(MemorySegment payload, long bytes, String name) throws AuthFault {
        if (payload.byteSize() != bytes) {
            throw malformed("%s has %d bytes where %d are due.".formatted(name, payload.byteSize(), bytes));
        }
    }

    /** Asks for at least this many bytes. */
    static void requireBytesMin(MemorySegment payload, long bytes, String name) throws AuthFault {
        if (payload.byteSize() < bytes) {
            throw malformed("%s has %d bytes where at least %d are due.".formatted(name, payload.byteSize(), bytes));
        }
    }

    static int unsignedByte(MemorySegment payload, long offset) {
        return Byte.toUnsignedInt(payload.get(JAVA_BYTE, offset));
    }

    static int unsignedShort(MemorySegment payload, long offset) {
        return Short.toUnsignedInt(payload.get(LE16, offset));
    }

    static byte[] copy(MemorySegment payload, long offset, int bytes) {
        return payload.asSlice(offset, bytes).toArray(JAVA_BYTE);
    }

    static void put(MemorySegment destination, long offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, destination, JAVA_BYTE, offset, bytes.length);
    }

    /** Clears the message's bytes, so that reserved fields are zero, and writes its header. */
    static void writeHeader(MemorySegment destination, int bytes, int type, int id, int transactionId) {
        destination.asSlice(0, bytes).fill((byte) 0);
        destination.set(JAVA_BYTE, AUTH_TYPE_OFFSET, (byte) type);
        destination.set(JAVA_BYTE, AUTH_ID_OFFSET, (byte) id);
        destination.set(LE16, TRANSACTION_ID_OFFSET, (short) transactionId);
    }
}
