package io.fairlead.nvme.auth;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.util.List;
import java.util.Optional;

/**
 * What a controller demands of one host.
 *
 * @param hashes the hashes that are accepted, preferred first; with one, that one is required
 * @param groups the Diffie-Hellman groups that are accepted, preferred first; with one, that one is required
 * @param hostKey proves the host
 * @param controllerKey proves the controller, if the host asks for it
 */
public record ControllerPolicy(
        List<DhchapHash> hashes, List<DhchapGroup> groups, DhchapKey hostKey, Optional<DhchapKey> controllerKey) {
    public ControllerPolicy {
        hashes = List.copyOf(hashes);
        groups = List.copyOf(groups);
        if (hashes.isEmpty() || groups.isEmpty()) {
            throw new IllegalArgumentException("a policy accepts at least one hash and one group");
        }
    }
}
