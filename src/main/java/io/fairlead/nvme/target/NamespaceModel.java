package io.fairlead.nvme.target;

import java.util.Objects;
import java.util.UUID;

/**
 * A namespace as a subsystem presents it. Immutable; its device's size is read from the device, so that a grown device is seen at once.
 *
 * @param nsid 1 to {@link Target#NAMESPACES_MAX}
 * @param nguid 16 bytes; must not be changed
 * @param eui64 8 bytes, all zero for none; must not be changed
 * @param anaGroup 1 to {@link Target#ANA_GROUPS_MAX}
 */
public record NamespaceModel(int nsid, UUID uuid, byte[] nguid, byte[] eui64, int anaGroup, BlockDevice device) {
    public NamespaceModel {
        if (nsid < 1 || nsid > Target.NAMESPACES_MAX) {
            throw new IllegalArgumentException("NSID out of range: " + nsid);
        }
        if (anaGroup < 1 || anaGroup > Target.ANA_GROUPS_MAX) {
            throw new IllegalArgumentException("ANA group out of range: " + anaGroup);
        }
        if (nguid.length != 16 || eui64.length != 8) {
            throw new IllegalArgumentException("an NGUID has 16 bytes and an EUI-64 has 8");
        }
        Objects.requireNonNull(uuid);
        Objects.requireNonNull(device);
    }
}
