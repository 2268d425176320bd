package io.fairlead.management.export;

import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.ExportId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.management.head.Listener;
import io.fairlead.management.head.ListenerService;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.head.ObservedView;
import io.fairlead.management.host.HostService;
import io.fairlead.management.host.HostView;
import io.fairlead.management.subsystem.SubsystemService;
import io.fairlead.management.subsystem.SubsystemView;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts exports together with what is observed of them; many of them with as many statements as one, and one more per head. */
@Singleton
class ExportViews {

    private static final Reason NOT_REPORTED = new Reason("export.not_reported", "The head has not reported this yet.");

    private final ExportRepository exports;
    private final SubsystemService subsystems;
    private final HostService hosts;
    private final ListenerService listeners;
    private final ObservedService observed;

    @Inject
    ExportViews(
            ExportRepository exports,
            SubsystemService subsystems,
            HostService hosts,
            ListenerService listeners,
            ObservedService observed) {
        this.exports = exports;
        this.subsystems = subsystems;
        this.hosts = hosts;
        this.listeners = listeners;
        this.observed = observed;
    }

    ExportView of(Export export) {
        return of(List.of(export)).getFirst();
    }

    /** What was read for a number of exports at once. */
    private record Parts(
            Map<ExportId, List<HostId>> hostsOf,
            Map<ExportId, List<ListenerId>> listenersOf,
            Map<ExportId, List<Export.Path>> pathsOf,
            Map<SubsystemId, SubsystemView> subsystems,
            Map<HostId, HostView> hosts,
            Map<ListenerId, Listener> listeners,
            Map<UUID, ObservedView> listenerStates,
            Map<PathId, PathReport> proofs) {}

    List<ExportView> of(List<Export> wanted) {
        Parts parts = read(wanted);
        return wanted.stream().map(export -> view(export, parts)).toList();
    }

    private Parts read(List<Export> wanted) {
        List<ExportId> all = wanted.stream().map(Export::id).toList();
        Map<ExportId, List<HostId>> hostsOf = exports.hostsOf(all);
        Map<ExportId, List<ListenerId>> listenersOf = exports.listenersOf(all);
        Map<ExportId, List<Export.Path>> pathsOf = exports.pathsOf(all);
        return new Parts(
                hostsOf,
                listenersOf,
                pathsOf,
                subsystems.views(wanted.stream().map(Export::subsystemId).toList()),
                hosts.views(distinct(hostsOf)).stream().collect(Collectors.toMap(HostView::id, Function.identity())),
                wanted.stream()
                        .map(Export::headId)
                        .distinct()
                        .flatMap(head -> listeners.ofHead(head).stream())
                        .collect(Collectors.toMap(Listener::id, Function.identity())),
                observed.find(
                        ObjectKind.LISTENER,
                        distinct(listenersOf).stream().map(ListenerId::value).toList()),
                observed.paths(pathsOf.values().stream()
                        .flatMap(List::stream)
                        .map(Export.Path::id)
                        .toList()));
    }

    private static <T> Collection<T> distinct(Map<ExportId, List<T>> map) {
        return map.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    }

    private static ExportView view(Export export, Parts parts) {
        SubsystemView subsystem = parts.subsystems().get(export.subsystemId());
        List<ExportView.ServedListener> served = parts.listenersOf().getOrDefault(export.id(), List.of()).stream()
                .map(id -> served(
                        parts.listeners().get(id),
                        Optional.ofNullable(parts.listenerStates().get(id.value()))))
                .toList();
        State state = stateOf(subsystem, served);
        return new ExportView(
                export.id(),
                export.name(),
                export.headId(),
                export.subsystemId(),
                subsystem.nqn(),
                state.state(),
                state.reason(),
                subsystem,
                parts.hostsOf().getOrDefault(export.id(), List.of()).stream()
                        .map(id -> allowed(parts.hosts().get(id)))
                        .toList(),
                served,
                parts.pathsOf().getOrDefault(export.id(), List.of()).stream()
                        .map(path ->
                                path(path, Optional.ofNullable(parts.proofs().get(path.id()))))
                        .toList(),
                export.version(),
                export.createdAt(),
                export.updatedAt());
    }

    private static ExportView.AllowedHost allowed(HostView host) {
        return new ExportView.AllowedHost(host.id(), host.name(), host.nqn(), host.hostIdentifier(), host.state());
    }

    private static ExportView.ServedListener served(Listener listener, Optional<ObservedView> state) {
        return new ExportView.ServedListener(
                listener.id(),
                listener.transport(),
                listener.traddr(),
                portOf(listener, state),
                state.map(ObservedView::state).orElse(null),
                state.flatMap(ObservedView::reason).orElse(null));
    }

    /** The port that the head listens on, as far as it is known. */
    static int portOf(Listener listener, Optional<ObservedView> state) {
        return state.map(view -> view.facts().get("trsvcid"))
                .filter(port -> port.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .orElse(listener.trsvcid());
    }

    private static ExportView.ExportPath path(Export.Path path, Optional<PathReport> report) {
        return new ExportView.ExportPath(
                path.id(),
                path.hostId(),
                path.listenerId(),
                report.map(PathReport::state).orElse(PathReport.State.PENDING),
                report.flatMap(PathReport::reason).orElse(null),
                report.flatMap(PathReport::proof).orElse(null));
    }

    private record State(ObjectState state, Reason reason) {}

    private static State stateOf(SubsystemView subsystem, List<ExportView.ServedListener> served) {
        Stream<State> all = Stream.of(
                        Stream.of(new State(subsystem.state(), subsystem.reason())),
                        subsystem.namespaces().stream()
                                .map(namespace -> new State(namespace.state(), namespace.reason())),
                        served.stream().map(listener -> new State(listener.state(), listener.reason())))
                .flatMap(Function.identity());
        return all.filter(state -> state.state() != ObjectState.READY)
                .findFirst()
                .map(state -> state.state() == null ? new State(ObjectState.PENDING, NOT_REPORTED) : state)
                .orElse(new State(ObjectState.READY, null));
    }
}
