package io.fairlead.management.host;

import io.fairlead.core.HostId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A host. Secrets are never part of it.
 *
 * @param hostIdentifier the HOSTID that goes with the NQN; using another one makes Linux refuse the second connection
 * @param version of the row; the ETag has it in quotes
 * @param authentication absent: the host connects without authentication
 */
public record HostView(
        HostId id,
        String name,
        String nqn,
        UUID hostIdentifier,
        HostAuthentication authentication,
        List<KeyView> keys,
        HostState state,
        long version,
        Instant createdAt,
        Instant updatedAt) {

    /** That there is a key, and no more. */
    public record KeyView(HostKeyPurpose purpose, HostKeyOrigin origin, Instant createdAt) {}
}
