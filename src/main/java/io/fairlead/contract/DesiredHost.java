package io.fairlead.contract;

import io.fairlead.core.HostId;
import java.util.Optional;
import java.util.UUID;

/**
 * A host that some subsystem of this head allows.
 *
 * @param nqn compared whole, byte for byte
 * @param hostIdentifier the HOSTID of Connect data that goes with the NQN
 * @param authentication empty: the host connects without authentication
 */
public record DesiredHost(HostId id, String nqn, UUID hostIdentifier, Optional<Authentication> authentication) {

    /**
     * DH-HMAC-CHAP of one host.
     *
     * @param hostSecret proves the host to the controller
     * @param controllerSecret present: the controller proves itself to the host as well (two-way)
     * @param hash the HMAC hash to ask for
     * @param dhGroup the Diffie-Hellman group to ask for
     */
    public record Authentication(
            DhchapSecret hostSecret, Optional<DhchapSecret> controllerSecret, AuthHash hash, AuthDhGroup dhGroup) {}
}
