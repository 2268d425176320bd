package io.fairlead.management.export;

import io.fairlead.core.HostId;
import io.fairlead.management.host.HostCreate;
import java.util.UUID;

/** A host to let in: an existing one by {@code hostId}, or a new one by the other fields, which are those of a new host. */
public record ExportHostCreate(
        HostId hostId, String name, String nqn, UUID hostIdentifier, HostCreate.AuthenticationCreate authentication) {

    HostCreate create() {
        return new HostCreate(name, nqn, hostIdentifier, authentication);
    }

    boolean isCreate() {
        return name != null || nqn != null || hostIdentifier != null || authentication != null;
    }
}
