package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * One entry of the discovery log page (NVM Express Base 2.0, section 5.16.1.23).
 *
 * @param transportType TRTYPE: 1 RDMA, 3 TCP
 * @param addressFamily ADRFAM: 1 IPv4, 2 IPv6
 * @param subsystemType SUBTYPE: 1 discovery elsewhere, 2 NVM, 3 this discovery subsystem
 */
public record DiscoveryEntry(
        int transportType,
        int addressFamily,
        int subsystemType,
        int portId,
        int controllerId,
        String traddr,
        String trsvcid,
        String subsystemNqn) {

    public static final int BYTES = 1024;
    public static final int TCP = 3;
    public static final int NVM_SUBSYSTEM = 2;

    static DiscoveryEntry of(MemorySegment entry) {
        return new DiscoveryEntry(
                Byte.toUnsignedInt(entry.get(JAVA_BYTE, 0)),
                Byte.toUnsignedInt(entry.get(JAVA_BYTE, 1)),
                Byte.toUnsignedInt(entry.get(JAVA_BYTE, 2)),
                Short.toUnsignedInt(entry.get(LE16, 4)),
                Short.toUnsignedInt(entry.get(LE16, 6)),
                ControllerData.text(entry, 512, 256),
                ControllerData.text(entry, 32, 32),
                ControllerData.text(entry, 256, 256));
    }
}
