package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE16;
import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * What Identify Controller says, as far as a host needs it (NVM Express Base 2.0, section 5.17.2.1).
 *
 * @param transferBytesMax most bytes of one command; {@link Integer#MAX_VALUE} for no limit
 * @param commandCapsuleUnits IOCCSZ, in units of 16 bytes
 */
public record ControllerData(
        String serial,
        String model,
        String firmware,
        String subsystemNqn,
        int controllerId,
        int transferBytesMax,
        int keepAliveGranularity,
        int commandsMax,
        int optionalCommands,
        boolean volatileWriteCache,
        int sglSupport,
        int commandCapsuleUnits,
        int responseCapsuleUnits,
        int inCapsuleOffset) {

    private static final int PAGE_BITS = 12;
    private static final int CAPSULE_UNIT_BYTES = 16;
    /** More than this is of no use to a host. */
    private static final int CAPSULE_UNITS_MAX = 1 << 16;

    static ControllerData of(MemorySegment data) {
        int mdts = Byte.toUnsignedInt(data.get(JAVA_BYTE, 77));
        return new ControllerData(
                text(data, 4, 20),
                text(data, 24, 40),
                text(data, 64, 8),
                text(data, 768, 256),
                Short.toUnsignedInt(data.get(LE16, 78)),
                mdts == 0 || mdts + PAGE_BITS >= 31 ? Integer.MAX_VALUE : 1 << (mdts + PAGE_BITS),
                Short.toUnsignedInt(data.get(LE16, 320)),
                Short.toUnsignedInt(data.get(LE16, 514)),
                Short.toUnsignedInt(data.get(LE16, 520)),
                (data.get(JAVA_BYTE, 525) & 1) != 0,
                data.get(LE32, 536),
                (int) Math.min(Integer.toUnsignedLong(data.get(LE32, 1792)), CAPSULE_UNITS_MAX),
                data.get(LE32, 1796),
                Short.toUnsignedInt(data.get(LE16, 1800)));
    }

    /** Most bytes of data in the capsule of an I/O command. */
    public int inCapsuleBytes() {
        return Math.max(0, commandCapsuleUnits * CAPSULE_UNIT_BYTES - HostCommand.SQE_BYTES);
    }

    /** ASCII without the spaces or zeros that fill the field. */
    static String text(MemorySegment data, long offset, int bytes) {
        String text = new String(data.asSlice(offset, bytes).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return (end < 0 ? text : text.substring(0, end)).stripTrailing();
    }
}
