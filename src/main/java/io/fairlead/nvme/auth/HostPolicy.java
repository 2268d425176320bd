package io.fairlead.nvme.auth;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.util.List;
import java.util.Optional;

/**
 * What a host offers to one controller.
 *
 * @param hashes the hashes that it offers
 * @param groups the Diffie-Hellman groups that it offers
 * @param hostKey proves the host
 * @param controllerKey present: the controller has to prove itself with it
 */
public record HostPolicy(
        List<DhchapHash> hashes, List<DhchapGroup> groups, DhchapKey hostKey, Optional<DhchapKey> controllerKey) {
    public HostPolicy {
        hashes = List.copyOf(hashes);
        groups = List.copyOf(groups);
        if (hashes.isEmpty() || groups.isEmpty()) {
            throw new IllegalArgumentException("a host offers at least one hash and one group");
        }
    }

    /** Offers everything there is, as Linux does. */
    public static HostPolicy offeringAll(DhchapKey hostKey, Optional<DhchapKey> controllerKey) {
        return new HostPolicy(List.of(DhchapHash.values()), List.of(DhchapGroup.values()), hostKey, controllerKey);
    }
}
