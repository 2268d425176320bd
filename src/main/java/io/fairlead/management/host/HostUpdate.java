package io.fairlead.management.host;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;

/**
 * A change to a host, as a JSON merge patch: what is left out stays. NQN and host identifier never change; hosts know it by them.
 *
 * @param authentication only for a host that authenticates; the keys stay
 */
public record HostUpdate(String name, PolicyUpdate authentication) {

    /** A change to how the host authenticates. */
    public record PolicyUpdate(AuthHash hash, AuthDhGroup dhGroup) {}
}
