package io.fairlead.management.export;

import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.core.ExportId;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.management.host.HostState;
import io.fairlead.management.subsystem.SubsystemView;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An export: what is asked for, what its head observes of it, and what came of proving its paths.
 *
 * @param state {@code READY} when the subsystem, its namespaces and listeners are; else the first state that is not, with its reason
 * @param version of the row; the ETag has it in quotes
 */
public record ExportView(
        ExportId id,
        String name,
        HeadId headId,
        SubsystemId subsystemId,
        String subsystemNqn,
        ObjectState state,
        Reason reason,
        SubsystemView subsystem,
        List<AllowedHost> hosts,
        List<ServedListener> listeners,
        List<ExportPath> paths,
        long version,
        Instant createdAt,
        Instant updatedAt) {

    /** A host that is let in. */
    public record AllowedHost(HostId id, String name, String nqn, UUID hostIdentifier, HostState state) {}

    /**
     * A listener.
     *
     * @param trsvcid the port that is in use as far as it is known, else the one that was asked for
     * @param state absent before the head has said anything
     */
    public record ServedListener(
            ListenerId id, Transport transport, String traddr, int trsvcid, ObjectState state, Reason reason) {}

    /**
     * One host on one listener.
     *
     * @param state {@code PENDING} before the prover has said anything
     * @param proof present exactly when {@code PROVEN}
     */
    public record ExportPath(
            PathId id,
            HostId hostId,
            ListenerId listenerId,
            PathReport.State state,
            Reason reason,
            PathReport.Proof proof) {}
}
