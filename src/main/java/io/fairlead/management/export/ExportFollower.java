package io.fairlead.management.export;

import io.fairlead.contract.ObjectKind;
import io.fairlead.core.ExportId;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.JobId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.host.HostUse;
import io.fairlead.management.job.Concern;
import io.fairlead.management.job.JobKind;
import io.fairlead.management.job.JobService;
import io.fairlead.management.job.PathConcern;
import io.fairlead.management.subsystem.SubsystemUse;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lets exports follow when what they are made of changes. Runs in the transaction of that change. */
@Singleton
class ExportFollower implements HostUse, SubsystemUse {

    private final ExportRepository exports;
    private final HeadService heads;
    private final JobService jobs;

    @Inject
    ExportFollower(ExportRepository exports, HeadService heads, JobService jobs) {
        this.exports = exports;
        this.heads = heads;
        this.jobs = jobs;
    }

    @Override
    public List<String> exportsOf(HostId host) {
        return exports.ofHost(host).stream().map(Export::name).toList();
    }

    @Override
    public Optional<JobId> onChanged(HostId host, String summary) {
        Map<HeadId, List<Export>> byHead = exports.ofHost(host).stream().collect(Collectors.groupingBy(Export::headId));
        if (byHead.isEmpty()) {
            return Optional.empty();
        }
        List<Concern> objects = new ArrayList<>();
        List<PathConcern> paths = new ArrayList<>();
        // In the order of their ids, as everybody locks several heads.
        byHead.keySet().stream().sorted(Comparator.comparing(HeadId::toString)).forEach(head -> {
            List<ExportId> all = byHead.get(head).stream().map(Export::id).toList();
            Concerns concerns = new Concerns(head, heads.bump(head))
                    .ready(ObjectKind.HOST, host.value())
                    .proven(exports.pathsOf(all).values().stream()
                            .flatMap(List::stream)
                            .filter(path -> path.hostId().equals(host))
                            .map(Export.Path::id)
                            .toList());
            objects.addAll(concerns.objects());
            paths.addAll(concerns.paths());
        });
        return Optional.of(jobs.open(JobKind.HOST_UPDATE, summary, objects, paths, ExportService.DEADLINE));
    }

    @Override
    public Optional<String> exportOf(SubsystemId subsystem) {
        return exports.ofSubsystem(subsystem).map(Export::name);
    }

    @Override
    public Optional<JobId> onNamespaceAdded(SubsystemId subsystem, NamespaceId namespace, String summary) {
        return exports.ofSubsystem(subsystem)
                .map(export -> open(
                        JobKind.NAMESPACE_CREATE,
                        summary,
                        bumped(export)
                                .ready(ObjectKind.NAMESPACE, namespace.value())
                                .proven(pathsOf(export))));
    }

    @Override
    public Optional<JobId> onNamespaceRemoved(SubsystemId subsystem, NamespaceId namespace, String summary) {
        return exports.ofSubsystem(subsystem)
                .map(export -> open(
                        JobKind.NAMESPACE_DELETE,
                        summary,
                        bumped(export).absent(ObjectKind.NAMESPACE, namespace.value())));
    }

    @Override
    public Optional<JobId> onAccessChanged(SubsystemId subsystem, String summary) {
        return exports.ofSubsystem(subsystem)
                .map(export -> open(
                        JobKind.SUBSYSTEM_UPDATE,
                        summary,
                        bumped(export).ready(ObjectKind.SUBSYSTEM, subsystem.value())));
    }

    private Concerns bumped(Export export) {
        return new Concerns(export.headId(), heads.bump(export.headId()));
    }

    private List<PathId> pathsOf(Export export) {
        return exports.pathsOf(List.of(export.id())).getOrDefault(export.id(), List.of()).stream()
                .map(Export.Path::id)
                .toList();
    }

    private JobId open(JobKind kind, String summary, Concerns concerns) {
        return jobs.open(kind, summary, concerns.objects(), concerns.paths(), ExportService.DEADLINE);
    }
}
