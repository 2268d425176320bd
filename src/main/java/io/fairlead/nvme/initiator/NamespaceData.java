package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * A namespace as it identifies itself (NVM Command Set 1.0, section 4.1.5.1; NVM Express Base 2.0, section 5.17.2.3).
 *
 * @param nsid 1 to 0xFFFFFFFE
 * @param nguid 32 lower-case hexadecimal digits; zeros for none
 * @param eui64 16 lower-case hexadecimal digits; zeros for none
 */
public record NamespaceData(long nsid, long blocks, int lbaBytes, Optional<UUID> uuid, String nguid, String eui64) {

    private static final int FLBAS_OFFSET = 26;
    private static final int NGUID_OFFSET = 104;
    private static final int EUI64_OFFSET = 120;
    private static final int LBAF_OFFSET = 128;
    private static final int DESCRIPTOR_HEADER_BYTES = 4;
    private static final int UUID_TYPE = 3;
    private static final int UUID_BYTES = 16;

    /** Empty when the format of the blocks is not one that a host can use. */
    static Optional<NamespaceData> of(long nsid, MemorySegment identify, MemorySegment descriptors) {
        int flbas = Byte.toUnsignedInt(identify.get(JAVA_BYTE, FLBAS_OFFSET));
        int format = (flbas & 0xF) | (flbas >>> 5 & 3) << 4;
        int lbaBits = Byte.toUnsignedInt(identify.get(JAVA_BYTE, LBAF_OFFSET + 4L * format + 2));
        if (lbaBits < 9 || lbaBits > 16) {
            return Optional.empty();
        }
        return Optional.of(new NamespaceData(
                nsid,
                identify.get(LE64, 0),
                1 << lbaBits,
                uuid(descriptors),
                hex(identify, NGUID_OFFSET, 16),
                hex(identify, EUI64_OFFSET, 8)));
    }

    private static String hex(MemorySegment data, long offset, int bytes) {
        return HexFormat.of().formatHex(data.asSlice(offset, bytes).toArray(JAVA_BYTE));
    }

    /** Walks the list of namespace identification descriptors, which a length of zero ends. */
    private static Optional<UUID> uuid(MemorySegment descriptors) {
        long at = 0;
        while (at + DESCRIPTOR_HEADER_BYTES <= descriptors.byteSize()) {
            int type = Byte.toUnsignedInt(descriptors.get(JAVA_BYTE, at));
            int length = Byte.toUnsignedInt(descriptors.get(JAVA_BYTE, at + 1));
            long value = at + DESCRIPTOR_HEADER_BYTES;
            if (length == 0 || value + length > descriptors.byteSize()) {
                return Optional.empty();
            }
            if (type == UUID_TYPE && length == UUID_BYTES) {
                ByteBuffer bytes =
                        ByteBuffer.wrap(descriptors.asSlice(value, UUID_BYTES).toArray(JAVA_BYTE));
                return Optional.of(new UUID(bytes.getLong(), bytes.getLong()));
            }
            at = value + length;
        }
        return Optional.empty();
    }

    public long sizeBytes() {
        return blocks * lbaBytes;
    }
}
