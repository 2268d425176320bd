package io.fairlead.worker.engine;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What the engine shall serve, with volumes and drives already resolved to devices. Keyed by id everywhere, so that order never
 * matters.
 */
public record TargetSpec(
        CntlidWindow cntlids,
        java.util.Map<HostId, HostSpec> hosts,
        java.util.Map<SubsystemId, SubsystemSpec> subsystems,
        java.util.Map<ListenerId, ListenerSpec> listeners) {

    public TargetSpec {
        hosts = java.util.Map.copyOf(hosts);
        subsystems = java.util.Map.copyOf(subsystems);
        listeners = java.util.Map.copyOf(listeners);
    }

    /** A host with its secrets; equality includes the secrets, so that a changed key is a difference. */
    public record HostSpec(
            HostId id, String nqn, UUID hostIdentifier, Optional<DesiredHost.Authentication> authentication) {}

    /** A subsystem, whom it lets in, and where it is served. */
    public record SubsystemSpec(
            SubsystemId id,
            String nqn,
            String serial,
            String model,
            DesiredSubsystem.Access access,
            java.util.Map<NamespaceId, NamespaceSpec> namespaces,
            Set<HostId> allowedHosts,
            Set<ListenerId> listeners) {
        public SubsystemSpec {
            namespaces = java.util.Map.copyOf(namespaces);
            allowedHosts = Set.copyOf(allowedHosts);
            listeners = Set.copyOf(listeners);
        }
    }

    /**
     * A namespace on a device.
     *
     * @param device file or block device; found anew at each reconcile by stable identity, so the path may change between two
     * @param deviceIdentity what makes two devices the same device: the volume's id or the drive's identity
     */
    public record NamespaceSpec(
            NamespaceId id,
            long nsid,
            UUID uuid,
            String nguid,
            String eui64,
            long sizeBytes,
            int lbaBytes,
            long anaGroup,
            Path device,
            String deviceIdentity) {}

    /**
     * A transport address; port 0 has been replaced by the port that the ledger keeps, if one was ever chosen.
     *
     * @param inCapsuleBytes absent: as the engine thinks best
     * @param queueSizeMax absent: as the engine thinks best
     * @param anaStates by ANA group; those that are optimized are left out
     */
    public record ListenerSpec(
            ListenerId id,
            Transport transport,
            AddressFamily adrfam,
            String traddr,
            int trsvcid,
            Optional<Integer> inCapsuleBytes,
            Optional<Integer> queueSizeMax,
            java.util.Map<Long, AnaState> anaStates) {
        public ListenerSpec {
            anaStates = ObservedTarget.notOptimized(anaStates);
        }

        /** A listener as the engine thinks best, with every group optimized. */
        public ListenerSpec(ListenerId id, Transport transport, AddressFamily adrfam, String traddr, int trsvcid) {
            this(id, transport, adrfam, traddr, trsvcid, Optional.empty(), Optional.empty(), java.util.Map.of());
        }

        /** The same listener with these states. */
        public ListenerSpec withAnaStates(java.util.Map<Long, AnaState> states) {
            return new ListenerSpec(id, transport, adrfam, traddr, trsvcid, inCapsuleBytes, queueSizeMax, states);
        }
    }
}
