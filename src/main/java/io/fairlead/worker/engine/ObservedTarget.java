package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What an engine serves, as read back from it. Only objects that Fairlead made. */
public record ObservedTarget(
        Map<HostId, ObservedHost> hosts,
        Map<SubsystemId, ObservedSubsystem> subsystems,
        Map<ListenerId, ObservedListener> listeners) {

    public static final ObservedTarget EMPTY = new ObservedTarget(Map.of(), Map.of(), Map.of());

    public ObservedTarget {
        hosts = Map.copyOf(hosts);
        subsystems = Map.copyOf(subsystems);
        listeners = Map.copyOf(listeners);
    }

    /**
     * A host that the engine knows.
     *
     * @param fingerprint of NQN, host identifier and secrets: {@link Fingerprints#of(TargetSpec.HostSpec)} of what was put; secrets
     *     themselves are never read back
     */
    public record ObservedHost(HostId id, String nqn, String fingerprint) {}

    /** A subsystem that the engine serves; {@code listeners} are those it is linked to. */
    public record ObservedSubsystem(
            SubsystemId id,
            String nqn,
            String serial,
            String model,
            DesiredSubsystem.Access access,
            Map<NamespaceId, ObservedNamespace> namespaces,
            Set<HostId> allowedHosts,
            Set<ListenerId> listeners) {
        public ObservedSubsystem {
            namespaces = Map.copyOf(namespaces);
            allowedHosts = Set.copyOf(allowedHosts);
            listeners = Set.copyOf(listeners);
        }
    }

    /** A namespace that is attached and enabled. */
    public record ObservedNamespace(
            NamespaceId id,
            long nsid,
            UUID uuid,
            String nguid,
            String eui64,
            long sizeBytes,
            int lbaBytes,
            long anaGroup,
            String deviceIdentity) {}

    /**
     * A listener that is listening.
     *
     * @param trsvcid the port that is really bound
     * @param inCapsuleBytes absent: the engine does not tell, or it is not its own choice
     * @param queueSizeMax absent: the engine does not tell
     * @param anaStates by ANA group; those that are optimized are left out
     */
    public record ObservedListener(
            ListenerId id,
            Transport transport,
            String traddr,
            int trsvcid,
            Optional<Integer> inCapsuleBytes,
            Optional<Integer> queueSizeMax,
            Map<Long, AnaState> anaStates) {
        public ObservedListener {
            anaStates = notOptimized(anaStates);
        }

        /** A listener of an engine that tells no more, with every group optimized. */
        public ObservedListener(ListenerId id, Transport transport, String traddr, int trsvcid) {
            this(id, transport, traddr, trsvcid, Optional.empty(), Optional.empty(), Map.of());
        }
    }

    /** States in the one form in which they are compared: what is optimized goes without saying. */
    static Map<Long, AnaState> notOptimized(Map<Long, AnaState> states) {
        return states.entrySet().stream()
                .filter(entry -> entry.getValue() != AnaState.OPTIMIZED)
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
