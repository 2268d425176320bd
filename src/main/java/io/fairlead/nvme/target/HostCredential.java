package io.fairlead.nvme.target;

import io.fairlead.nvme.auth.ControllerPolicy;
import java.util.Optional;

/**
 * A host and what is demanded of it.
 *
 * @param policy empty: the host connects without authentication
 */
public record HostCredential(String nqn, Optional<ControllerPolicy> policy) {}
