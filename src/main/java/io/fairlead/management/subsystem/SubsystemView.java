package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.SubsystemId;
import java.time.Instant;
import java.util.List;

/**
 * A subsystem, and what its head last said of it.
 *
 * @param state absent while no head serves it
 * @param version of the row; the ETag has it in quotes
 */
public record SubsystemView(
        SubsystemId id,
        String nqn,
        String serial,
        String model,
        DesiredSubsystem.Access access,
        List<NamespaceView> namespaces,
        ObjectState state,
        Reason reason,
        long version,
        Instant createdAt,
        Instant updatedAt) {}
