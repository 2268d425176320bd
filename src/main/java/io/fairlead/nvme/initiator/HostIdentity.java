package io.fairlead.nvme.initiator;

import io.fairlead.nvme.auth.HostPolicy;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Who the host is.
 *
 * @param nqn its NVMe qualified name
 * @param hostIdentifier HOSTID; a controller takes the same pair of both every time
 * @param authentication empty: it has no key
 */
public record HostIdentity(String nqn, UUID hostIdentifier, Optional<HostPolicy> authentication) {
    public HostIdentity {
        Objects.requireNonNull(nqn);
        Objects.requireNonNull(hostIdentifier);
        Objects.requireNonNull(authentication);
    }

    /** The same host as if it had no key. */
    public HostIdentity withoutKey() {
        return new HostIdentity(nqn, hostIdentifier, Optional.empty());
    }
}
