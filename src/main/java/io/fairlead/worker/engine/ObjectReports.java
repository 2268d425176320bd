package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredAnaState;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredListener;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.ObservedTarget.ObservedHost;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Says of each object what was read back from the engine, compared with what was desired. READY is never said because a step
 * succeeded, only because the engine shows it. Volumes are reported by the reconciler, which has them from their pools.
 */
final class ObjectReports {

    private final DesiredState desired;
    private final ObservedTarget observed;
    private final Conditions conditions;
    private final List<ObjectReport> reports = new ArrayList<>();

    private ObjectReports(DesiredState desired, ObservedTarget observed, Conditions conditions) {
        this.desired = desired;
        this.observed = observed;
        this.conditions = conditions;
    }

    static List<ObjectReport> of(DesiredState desired, ObservedTarget observed, Conditions conditions) {
        ObjectReports made = new ObjectReports(desired, observed, conditions);
        desired.hosts().forEach(made::host);
        desired.listeners().forEach(made::listener);
        desired.subsystems().forEach(made::subsystem);
        made.leftovers();
        return made.reports;
    }

    private void host(DesiredHost host) {
        ObservedHost present = observed.hosts().get(host.id());
        boolean asDesired = present != null
                && present.fingerprint()
                        .equals(Fingerprints.of(new TargetSpec.HostSpec(
                                host.id(), host.nqn(), host.hostIdentifier(), host.authentication())));
        Map<String, String> facts = present == null ? Map.of() : Map.of("nqn", present.nqn());
        add(
                ObjectRef.of(host.id()),
                asDesired,
                facts,
                () -> Condition.broken("host.differs", "The engine does not know the host as it shall be."));
    }

    private void listener(DesiredListener listener) {
        ObservedListener present = observed.listeners().get(listener.id());
        boolean asDesired = present != null
                && present.transport() == listener.transport()
                && present.traddr().equals(listener.traddr())
                && (listener.trsvcid() == 0 || listener.trsvcid() == present.trsvcid())
                && agrees(listener.inCapsuleBytes(), present.inCapsuleBytes())
                && agrees(listener.queueSizeMax(), present.queueSizeMax())
                && present.anaStates().equals(anaStates(listener.id()));
        Map<String, String> facts = present == null
                ? Map.of()
                : Map.of("traddr", present.traddr(), "trsvcid", Integer.toString(present.trsvcid()));
        add(
                ObjectRef.of(listener.id()),
                asDesired,
                facts,
                () -> Condition.broken("listener.differs", "The engine does not listen there as it shall."));
    }

    private static boolean agrees(Optional<Integer> wanted, Optional<Integer> present) {
        return wanted.isEmpty() || present.isEmpty() || wanted.equals(present);
    }

    private Map<Long, AnaState> anaStates(ListenerId listener) {
        return ObservedTarget.notOptimized(desired.anaStates().orElse(List.of()).stream()
                .filter(ana -> ana.listenerId().equals(listener))
                .collect(Collectors.toMap(DesiredAnaState::anaGroup, DesiredAnaState::state, (first, next) -> next)));
    }

    private void subsystem(DesiredSubsystem subsystem) {
        ObservedSubsystem present = observed.subsystems().get(subsystem.id());
        List<ObjectReport> namespaces = new ArrayList<>();
        for (DesiredNamespace namespace : subsystem.namespaces()) {
            namespaces.add(namespace(present, namespace));
        }
        boolean asDesired = present != null
                && present.nqn().equals(subsystem.nqn())
                && present.serial().equals(subsystem.serial())
                && present.model().equals(subsystem.model())
                && present.access() == subsystem.access()
                && present.allowedHosts().equals(Set.copyOf(subsystem.allowedHosts()))
                && present.listeners().equals(Set.copyOf(subsystem.listeners()))
                && !present.namespaces().isEmpty();
        Map<String, String> facts = present == null
                ? Map.of()
                : Map.of("nqn", present.nqn(), "serial", present.serial(), "model", present.model());
        add(ObjectRef.of(subsystem.id()), asDesired, facts, () -> whyNotServed(namespaces));
        reports.addAll(namespaces);
    }

    /** No step of the subsystem failed, so it is a namespace that keeps it from being served. */
    private static Condition whyNotServed(List<ObjectReport> namespaces) {
        Optional<ObjectReport> culprit = namespaces.stream()
                .filter(namespace -> namespace.state() != ObjectState.READY)
                .findFirst();
        if (namespaces.isEmpty()) {
            return Condition.waiting("subsystem.no_namespace", "It is not served while it has no namespace.");
        }
        String text = "It is not served while none of its namespaces is ready.";
        return culprit.flatMap(ObjectReport::reason)
                .map(reason -> new Condition(
                        culprit.get().state() == ObjectState.DEGRADED
                                ? Condition.Severity.BROKEN
                                : Condition.Severity.WAITING,
                        new Reason("subsystem.no_namespace", text + " " + reason.text())))
                .orElseGet(() -> Condition.broken("subsystem.differs", "The engine does not serve it as it shall be."));
    }

    private ObjectReport namespace(ObservedSubsystem subsystem, DesiredNamespace namespace) {
        ObservedNamespace present =
                subsystem == null ? null : subsystem.namespaces().get(namespace.id());
        ObjectRef object = ObjectRef.of(namespace.id());
        Map<String, String> facts = present == null ? Map.of() : facts(present);
        boolean asDesired = present != null
                && present.sizeBytes() == namespace.sizeBytes()
                && sameIdentity(namespace, present)
                && conditions.of(object).isEmpty();
        return report(object, asDesired, facts, () -> whyNamespaceDiffers(namespace, present));
    }

    private static boolean sameIdentity(DesiredNamespace namespace, ObservedNamespace present) {
        return present.nsid() == namespace.nsid()
                && present.uuid().equals(namespace.uuid())
                && present.nguid().equals(namespace.nguid())
                && present.eui64().equals(namespace.eui64())
                && present.lbaBytes() == namespace.lbaBytes()
                && present.anaGroup() == namespace.anaGroup();
    }

    private static Condition whyNamespaceDiffers(DesiredNamespace namespace, ObservedNamespace present) {
        if (present == null) {
            return Condition.waiting("namespace.absent", "It is not attached yet.");
        }
        if (present.sizeBytes() > namespace.sizeBytes()) {
            return Condition.broken(
                    "namespace.shrink", "It has " + present.sizeBytes() + " bytes and is never made smaller.");
        }
        return Condition.broken("namespace.differs", "The engine does not serve it as it shall be.");
    }

    private static Map<String, String> facts(ObservedNamespace namespace) {
        return Map.of(
                "nsid", Long.toString(namespace.nsid()),
                "uuid", namespace.uuid().toString(),
                "nguid", namespace.nguid(),
                "eui64", namespace.eui64(),
                "sizeBytes", Long.toString(namespace.sizeBytes()),
                "lbaBytes", Integer.toString(namespace.lbaBytes()),
                "anaGroup", Long.toString(namespace.anaGroup()),
                "device", namespace.deviceIdentity());
    }

    /** What is there and shall not be. */
    private void leftovers() {
        Set<HostId> hosts = new HashSet<>();
        desired.hosts().forEach(host -> hosts.add(host.id()));
        observed.hosts().values().stream()
                .filter(host -> !hosts.contains(host.id()))
                .forEach(host -> leftover(ObjectRef.of(host.id())));
        Set<ListenerId> listeners = new HashSet<>();
        desired.listeners().forEach(listener -> listeners.add(listener.id()));
        observed.listeners().values().stream()
                .filter(listener -> !listeners.contains(listener.id()))
                .forEach(listener -> leftover(ObjectRef.of(listener.id())));
        Set<SubsystemId> subsystems = new HashSet<>();
        Set<NamespaceId> namespaces = new HashSet<>();
        desired.subsystems().forEach(subsystem -> {
            subsystems.add(subsystem.id());
            subsystem.namespaces().forEach(namespace -> namespaces.add(namespace.id()));
        });
        for (ObservedSubsystem subsystem : observed.subsystems().values()) {
            if (!subsystems.contains(subsystem.id())) {
                leftover(ObjectRef.of(subsystem.id()));
            }
            subsystem.namespaces().keySet().stream()
                    .filter(namespace -> !namespaces.contains(namespace))
                    .forEach(namespace -> leftover(ObjectRef.of(namespace)));
        }
    }

    private void leftover(ObjectRef object) {
        Reason reason = conditions
                .of(object)
                .map(Condition::reason)
                .orElse(new Reason(kindName(object.kind()) + ".not_removed", "It is still there."));
        reports.add(new ObjectReport(object.kind(), object.id(), ObjectState.REMOVING, Optional.of(reason), Map.of()));
    }

    private static String kindName(ObjectKind kind) {
        return switch (kind) {
            case POOL -> "pool";
            case VOLUME -> "volume";
            case HOST -> "host";
            case SUBSYSTEM -> "subsystem";
            case NAMESPACE -> "namespace";
            case LISTENER -> "listener";
        };
    }

    private void add(ObjectRef object, boolean asDesired, Map<String, String> facts, Supplier<Condition> otherwise) {
        reports.add(report(object, asDesired, facts, otherwise));
    }

    private ObjectReport report(
            ObjectRef object, boolean asDesired, Map<String, String> facts, Supplier<Condition> otherwise) {
        UUID id = object.id();
        if (asDesired) {
            return new ObjectReport(object.kind(), id, ObjectState.READY, Optional.empty(), facts);
        }
        Condition condition = conditions.of(object).orElseGet(otherwise);
        return new ObjectReport(object.kind(), id, condition.state(), Optional.of(condition.reason()), facts);
    }
}
