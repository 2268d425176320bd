package io.fairlead.management.export;

import static io.fairlead.management.export.ExportChecks.at;
import static io.fairlead.management.export.ExportChecks.orEmpty;

import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.Transport;
import io.fairlead.core.ExportId;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldErrors;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.head.Listener;
import io.fairlead.management.head.ListenerCreate;
import io.fairlead.management.head.ListenerService;
import io.fairlead.management.host.HostCreatedView;
import io.fairlead.management.host.HostSecretsView;
import io.fairlead.management.host.HostService;
import io.fairlead.management.job.JobKind;
import io.fairlead.management.job.JobService;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.management.subsystem.NamespaceCreate;
import io.fairlead.management.subsystem.SubsystemCreate;
import io.fairlead.management.subsystem.SubsystemService;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.SqlFailure;
import io.fairlead.platform.database.Violations;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Exports. Each change is one transaction: all of its rows, the audit record, the head's next generation, and the job.
 *
 * <p>Locks are taken in this order, by every feature: pool, volume, subsystem, host, export, head, listener.
 */
@Singleton
public class ExportService {

    /** After this the job fails with the last reason; the head goes on trying. */
    static final Duration DEADLINE = Duration.ofMinutes(5);

    private final ExportRepository exports;
    private final ExportChecks checks;
    private final ExportViews views;
    private final VolumeService volumes;
    private final SubsystemService subsystems;
    private final HostService hosts;
    private final HeadService heads;
    private final ListenerService listeners;
    private final JobService jobs;
    private final AuditWriter audit;
    private final Ids ids;
    private final InstantSource clock;

    @Inject
    public ExportService(
            ExportRepository exports,
            ExportChecks checks,
            ExportViews views,
            VolumeService volumes,
            SubsystemService subsystems,
            HostService hosts,
            HeadService heads,
            ListenerService listeners,
            JobService jobs,
            AuditWriter audit,
            Ids ids,
            InstantSource clock) {
        this.exports = exports;
        this.checks = checks;
        this.views = views;
        this.volumes = volumes;
        this.subsystems = subsystems;
        this.hosts = hosts;
        this.heads = heads;
        this.listeners = listeners;
        this.jobs = jobs;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    /** The whole main job: makes what is not there yet and exports it. */
    @Transactional
    public ExportAccepted create(ExportCreate request) {
        checks.check(request);
        List<VolumeId> carved = new ArrayList<>();
        List<NamespaceCreate> backings = backings(request, carved);
        SubsystemId subsystem = request.subsystemId() != null
                ? request.subsystemId()
                : subsystems.create(
                        Optional.ofNullable(request.subsystem()).orElse(SubsystemCreate.DEFAULTS), "/subsystem");
        DesiredSubsystem.Access access = at("/subsystemId", () -> subsystems.accessOf(subsystem));
        if (access == DesiredSubsystem.Access.ANY_HOST
                && !orEmpty(request.hosts()).isEmpty()) {
            throw openWithHosts("/hosts");
        }
        for (int i = 0; i < backings.size(); i++) {
            subsystems.attach(subsystem, backings.get(i), pointerOf(request, i));
        }
        HeadId head = subsystems
                .headOf(subsystem)
                .orElseThrow(() -> Failure.ofField(
                        FailureCode.REQUEST_INVALID,
                        "/subsystemId",
                        "The subsystem has no namespace, so there is nothing to export; give a volume as well."));
        List<HostSecretsView> secrets = new ArrayList<>();
        Set<HostId> allowed = allowed(orEmpty(request.hosts()), secrets);
        Generation generation = heads.bump(head);
        Set<ListenerId> served = served(orEmpty(request.listeners()), head);
        Export export = add(request, subsystem, head);
        served.forEach(listener -> exports.addListener(export.id(), listener));
        List<PathId> paths = new ArrayList<>();
        for (HostId host : allowed) {
            let(export, host, "/hosts");
            served.forEach(listener -> paths.add(addPath(export, host, listener)));
        }
        Concerns concerns = new Concerns(head, generation)
                .ready(ObjectKind.VOLUME, carved.stream().map(VolumeId::value))
                .ready(ObjectKind.HOST, allowed.stream().map(HostId::value))
                .ready(ObjectKind.SUBSYSTEM, subsystem.value())
                .ready(
                        ObjectKind.NAMESPACE,
                        subsystems.namespacesOf(subsystem).stream().map(NamespaceId::value))
                .ready(ObjectKind.LISTENER, served.stream().map(ListenerId::value))
                .proven(paths);
        JobId job = open(JobKind.EXPORT_CREATE, "export " + export.name(), concerns);
        ExportView view = views.of(export);
        audit.write(
                AuditWriter.Change.created("export", export.id().value(), view).by(job));
        return new ExportAccepted(view, job, secrets);
    }

    private List<NamespaceCreate> backings(ExportCreate request, List<VolumeId> carved) {
        List<ExportNamespaceCreate> asked = request.namespaces() != null
                ? request.namespaces()
                : request.namespace().isEmpty() ? List.of() : List.of(request.namespace());
        List<NamespaceCreate> backings = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            ExportNamespaceCreate namespace = asked.get(i);
            VolumeId volume = namespace.volumeId();
            if (namespace.volume() != null) {
                volume = volumes.carve(namespace.volume(), pointerOf(request, i) + "/volume")
                        .id();
                carved.add(volume);
            }
            backings.add(new NamespaceCreate(volume, namespace.driveId(), namespace.agreedSignature()));
        }
        return backings;
    }

    private static String pointerOf(ExportCreate request, int namespace) {
        return request.namespaces() == null ? "" : "/namespaces/" + namespace;
    }

    /** The hosts in the order of the request; new ones are made in the order of their NQNs, so that two requests never wait crosswise. */
    private Set<HostId> allowed(List<ExportHostCreate> asked, List<HostSecretsView> secrets) {
        HostId[] found = new HostId[asked.size()];
        HostSecretsView[] shown = new HostSecretsView[asked.size()];
        List<Integer> order = IntStream.range(0, asked.size())
                .boxed()
                .sorted(Comparator.comparing(
                        i -> Objects.requireNonNullElse(asked.get(i).nqn(), "")))
                .toList();
        for (int i : order) {
            String pointer = "/hosts/" + i;
            if (asked.get(i).hostId() != null) {
                found[i] = at(pointer + "/hostId", () -> hosts.get(asked.get(i).hostId()))
                        .id();
            } else {
                HostCreatedView created = hosts.create(asked.get(i).create(), pointer);
                found[i] = created.host().id();
                shown[i] = created.secrets();
            }
        }
        Arrays.stream(shown).filter(Objects::nonNull).forEach(secrets::add);
        return new LinkedHashSet<>(List.of(found));
    }

    private Set<ListenerId> served(List<ExportListenerCreate> asked, HeadId head) {
        Set<ListenerId> served = new LinkedHashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            ExportListenerCreate listener = asked.get(i);
            String pointer = "/listeners/" + i;
            Listener found = listener.listenerId() != null
                    ? at(pointer + "/listenerId", () -> listeners.get(listener.listenerId()))
                    : at(pointer, () -> listeners.findOrCreate(addressOf(listener, head)));
            if (!found.headId().equals(head)) {
                throw Failure.ofField(
                        FailureCode.EXPORT_HEAD_MISMATCH,
                        pointer + (listener.listenerId() != null ? "/listenerId" : "/headId"),
                        "The data is on head " + head + " and the listener is on head " + found.headId()
                                + "; serve it from where the data is.");
            }
            served.add(found.id());
        }
        return served;
    }

    private static ListenerCreate addressOf(ExportListenerCreate listener, HeadId head) {
        return new ListenerCreate(
                Optional.ofNullable(listener.headId()).orElse(head),
                Optional.ofNullable(listener.transport()).orElse(Transport.TCP),
                listener.traddr(),
                Optional.ofNullable(listener.trsvcid()));
    }

    private Export add(ExportCreate request, SubsystemId subsystem, HeadId head) {
        var now = clock.instant();
        String name = Optional.ofNullable(request.name()).orElseGet(() -> subsystems.nqnOf(subsystem));
        Export export = new Export(new ExportId(ids.next()), name, subsystem, head, 0, now, now);
        exports.ofSubsystem(subsystem).ifPresent(other -> {
            throw duplicate(other.name());
        });
        try {
            exports.add(export);
        } catch (SqlFailure e) {
            if (Violations.isOf(e, "export_subsystem_unique")) {
                throw duplicate("another request").because("lost the race", e);
            }
            throw e;
        }
        return export;
    }

    private static Failure duplicate(String other) {
        return Failure.ofField(
                FailureCode.EXPORT_DUPLICATE,
                "/subsystemId",
                "The subsystem is exported by '" + other
                        + "' already; change that export or choose another subsystem.");
    }

    /** Lets a host in; false when it is already. */
    private boolean let(Export export, HostId host, String pointer) {
        try {
            return exports.addHost(export, host);
        } catch (SqlFailure e) {
            if (Violations.isOf(e, "export_host_subsystem")) {
                throw openWithHosts(pointer).because("the subsystem is open", e);
            }
            if (Violations.isReference(e)) {
                throw Failure.ofField(FailureCode.HOST_NOT_FOUND, pointer, "There is no host " + host + " any more.")
                        .because("lost the race", e);
            }
            throw e;
        }
    }

    private static Failure openWithHosts(String pointer) {
        return Failure.ofField(
                FailureCode.SUBSYSTEM_OPEN_WITH_HOSTS,
                pointer,
                "The subsystem is open to any host, so a list of hosts (and their keys) would protect nothing;"
                        + " close it first by setting its access to LISTED_HOSTS.");
    }

    private PathId addPath(Export export, HostId host, ListenerId listener) {
        PathId id = new PathId(ids.next());
        exports.addPath(new Export.Path(id, export.id(), host, listener));
        return id;
    }

    private JobId open(JobKind kind, String summary, Concerns concerns) {
        return jobs.open(kind, summary, concerns.objects(), concerns.paths(), DEADLINE);
    }

    /** Lets one more host in, existing or new. */
    @Transactional
    public ExportAccepted addHost(ExportId id, ExportHostCreate request) {
        FieldErrors errors = new FieldErrors();
        checks.check(request, "", errors);
        errors.throwIfAny();
        List<HostSecretsView> secrets = new ArrayList<>();
        HostId host;
        if (request.hostId() != null) {
            host = at("/hostId", () -> hosts.get(request.hostId())).id();
        } else {
            HostCreatedView created = hosts.create(request.create(), "");
            Optional.ofNullable(created.secrets()).ifPresent(secrets::add);
            host = created.host().id();
        }
        Export export = locked(id);
        ExportView before = views.of(export);
        List<PathId> paths = new ArrayList<>();
        if (let(export, host, "/hostId")) {
            listenersOf(id).forEach(listener -> paths.add(addPath(export, host, listener)));
            exports.touch(id, clock.instant());
        }
        Concerns concerns = new Concerns(export.headId(), heads.bump(export.headId()))
                .ready(ObjectKind.HOST, host.value())
                .ready(ObjectKind.SUBSYSTEM, export.subsystemId().value())
                .proven(paths);
        return changed(JobKind.EXPORT_UPDATE, "let a host into " + export.name(), before, concerns, secrets);
    }

    /** Lets a host in no longer; its connections end. */
    @Transactional
    public ExportAccepted removeHost(ExportId id, HostId host, String ifMatch) {
        Export export = locked(id);
        new RowVersion(export.version()).requireMatch(ifMatch);
        ExportView before = views.of(export);
        if (!exports.removeHost(id, host)) {
            throw Failure.of(
                    FailureCode.HOST_NOT_FOUND,
                    "The export does not let host " + host + " in, so it cannot be taken out.");
        }
        exports.touch(id, clock.instant());
        Concerns concerns = new Concerns(export.headId(), heads.bump(export.headId()))
                .ready(ObjectKind.SUBSYSTEM, export.subsystemId().value());
        if (!exports.isServed(host, export.headId())) {
            concerns.absent(ObjectKind.HOST, host.value());
        }
        return changed(JobKind.EXPORT_UPDATE, "take a host out of " + export.name(), before, concerns, List.of());
    }

    private ExportAccepted changed(
            JobKind kind, String summary, ExportView before, Concerns concerns, List<HostSecretsView> secrets) {
        JobId job = open(kind, summary, concerns);
        ExportView after = get(before.id());
        audit.write(AuditWriter.Change.updated("export", after.id().value(), before, after)
                .by(job));
        return new ExportAccepted(after, job, secrets);
    }

    /** Serves it no longer. Subsystem, volumes and hosts stay. */
    @Transactional
    public ExportAccepted delete(ExportId id, String ifMatch) {
        Export export = locked(id);
        new RowVersion(export.version()).requireMatch(ifMatch);
        ExportView before = views.of(export);
        Collection<HostId> allowed = exports.hostsOf(List.of(id)).getOrDefault(id, List.of());
        exports.delete(id);
        Concerns concerns = new Concerns(export.headId(), heads.bump(export.headId()))
                .absent(ObjectKind.SUBSYSTEM, export.subsystemId().value());
        subsystems
                .namespacesOf(export.subsystemId())
                .forEach(namespace -> concerns.absent(ObjectKind.NAMESPACE, namespace.value()));
        allowed.stream()
                .filter(host -> !exports.isServed(host, export.headId()))
                .forEach(host -> concerns.absent(ObjectKind.HOST, host.value()));
        JobId job = open(JobKind.EXPORT_DELETE, "stop exporting " + export.name(), concerns);
        audit.write(AuditWriter.Change.deleted("export", id.value(), before).by(job));
        return new ExportAccepted(before, job, List.of());
    }

    @Transactional
    public ExportView get(ExportId id) {
        return views.of(exports.find(id).orElseThrow(() -> notFound(id)));
    }

    @Transactional
    List<ExportView> page(PageQuery query) {
        return views.of(exports.page(query.after(), query.rowsMax()));
    }

    private List<ListenerId> listenersOf(ExportId id) {
        return exports.listenersOf(List.of(id)).getOrDefault(id, List.of());
    }

    private Export locked(ExportId id) {
        return exports.lock(id).orElseThrow(() -> notFound(id));
    }

    private static Failure notFound(ExportId id) {
        return Failure.of(
                FailureCode.EXPORT_NOT_FOUND, "There is no export " + id + ". List them with GET /api/v1/exports.");
    }
}
