package io.fairlead.management.export;

import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredPath;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.core.ExportId;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.SubsystemId;
import io.fairlead.management.host.HostService;
import io.fairlead.management.subsystem.SubsystemService;
import io.fairlead.management.subsystem.SubsystemView;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a head shall serve, as it is sent there. Only reads, and takes no locks: it runs in a snapshot.
 *
 * <p>A host whose key cannot be opened is left out of the hosts, of each subsystem's list and of the paths: it is shut out, and nobody
 * is let in without a key instead.
 */
@Singleton
public class DesiredExports {

    private final ExportRepository exports;
    private final SubsystemService subsystems;
    private final HostService hosts;

    @Inject
    public DesiredExports(ExportRepository exports, SubsystemService subsystems, HostService hosts) {
        this.exports = exports;
        this.subsystems = subsystems;
        this.hosts = hosts;
    }

    /** The part of a head's desired state that is about exports. */
    public record Part(List<DesiredHost> hosts, List<DesiredSubsystem> subsystems, List<DesiredPath> paths) {}

    /** Hosts (with their secrets), subsystems (with their namespaces) and paths of one head. */
    public Part of(HeadId head) {
        List<Export> all = exports.ofHead(head);
        List<ExportId> exportIds = all.stream().map(Export::id).toList();
        List<SubsystemId> subsystemIds = all.stream().map(Export::subsystemId).toList();
        Map<ExportId, List<HostId>> hostsOf = exports.hostsOf(exportIds);
        Map<ExportId, List<ListenerId>> listenersOf = exports.listenersOf(exportIds);
        Map<ExportId, List<Export.Path>> pathsOf = exports.pathsOf(exportIds);
        Map<SubsystemId, SubsystemView> views = subsystems.views(subsystemIds);
        Map<SubsystemId, List<DesiredNamespace>> namespaces = subsystems.desiredNamespaces(subsystemIds);
        List<DesiredHost> desiredHosts =
                hosts.desired(hostsOf.values().stream().flatMap(List::stream).collect(Collectors.toSet()));
        Set<HostId> open = desiredHosts.stream().map(DesiredHost::id).collect(Collectors.toSet());
        return new Part(
                desiredHosts,
                all.stream()
                        .map(export -> {
                            SubsystemView view = views.get(export.subsystemId());
                            return new DesiredSubsystem(
                                    view.id(),
                                    view.nqn(),
                                    view.serial(),
                                    view.model(),
                                    view.access(),
                                    namespaces.get(view.id()),
                                    hostsOf.getOrDefault(export.id(), List.of()).stream()
                                            .filter(open::contains)
                                            .toList(),
                                    listenersOf.getOrDefault(export.id(), List.of()));
                        })
                        .toList(),
                all.stream()
                        .flatMap(export -> pathsOf.getOrDefault(export.id(), List.of()).stream()
                                .filter(path -> open.contains(path.hostId()))
                                .map(path -> new DesiredPath(
                                        path.id(), export.subsystemId(), path.hostId(), path.listenerId())))
                        .toList());
    }
}
