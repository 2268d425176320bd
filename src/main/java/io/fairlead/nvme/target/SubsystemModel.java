package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.AnaState;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A subsystem at one moment. Immutable: the control thread replaces it whole, and poll groups that hold the old one finish their command
 * with it.
 *
 * @param cntlidFirst first controller id that may be given out
 * @param cntlidLast last controller id that may be given out
 * @param namespaces by NSID, ascending
 * @param listeners where it is served
 * @param anaStates by listener and ANA group; what is missing is optimized
 */
public record SubsystemModel(
        String nqn,
        String serial,
        String model,
        Access access,
        int cntlidFirst,
        int cntlidLast,
        Set<String> allowedHosts,
        NavigableMap<Integer, NamespaceModel> namespaces,
        Set<UUID> listeners,
        Map<AnaKey, AnaState> anaStates,
        long anaChangeCount) {

    /** Whom a subsystem lets in. */
    public enum Access {
        LISTED_HOSTS,
        ANY_HOST
    }

    /** An ANA group as seen through one listener. */
    public record AnaKey(UUID listener, int group) {}

    public SubsystemModel {
        allowedHosts = Set.copyOf(allowedHosts);
        namespaces = java.util.Collections.unmodifiableNavigableMap(new TreeMap<>(namespaces));
        listeners = Set.copyOf(listeners);
        anaStates = Map.copyOf(anaStates);
    }

    boolean admits(String hostNqn) {
        return access == Access.ANY_HOST || allowedHosts.contains(hostNqn);
    }

    AnaState anaState(UUID listener, int group) {
        return anaStates.getOrDefault(new AnaKey(listener, group), AnaState.OPTIMIZED);
    }

    /** Whether acknowledged writes may be lost by a power cut until they are flushed, on any namespace. */
    boolean hasVolatileWriteCache() {
        return namespaces.values().stream()
                .anyMatch(namespace -> namespace.device().hasVolatileWriteCache());
    }

    SubsystemModel withAttributes(String newSerial, String newModel, Access newAccess, int first, int last) {
        return new SubsystemModel(
                nqn,
                newSerial,
                newModel,
                newAccess,
                first,
                last,
                allowedHosts,
                namespaces,
                listeners,
                anaStates,
                anaChangeCount);
    }

    SubsystemModel withAllowedHosts(Set<String> hosts) {
        return new SubsystemModel(
                nqn,
                serial,
                model,
                access,
                cntlidFirst,
                cntlidLast,
                hosts,
                namespaces,
                listeners,
                anaStates,
                anaChangeCount);
    }

    SubsystemModel withNamespaces(NavigableMap<Integer, NamespaceModel> changed) {
        return new SubsystemModel(
                nqn,
                serial,
                model,
                access,
                cntlidFirst,
                cntlidLast,
                allowedHosts,
                changed,
                listeners,
                anaStates,
                anaChangeCount + 1);
    }

    SubsystemModel withListeners(Set<UUID> changed) {
        return new SubsystemModel(
                nqn,
                serial,
                model,
                access,
                cntlidFirst,
                cntlidLast,
                allowedHosts,
                namespaces,
                changed,
                anaStates,
                anaChangeCount);
    }

    SubsystemModel withAnaStates(Map<AnaKey, AnaState> changed) {
        return new SubsystemModel(
                nqn,
                serial,
                model,
                access,
                cntlidFirst,
                cntlidLast,
                allowedHosts,
                namespaces,
                listeners,
                changed,
                anaChangeCount + 1);
    }
}
