package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.ObjectKind;
import io.fairlead.core.DriveId;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldErrors;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.head.ObservedView;
import io.fairlead.nvme.spec.Nqn;
import io.fairlead.nvme.spec.SerialNumber;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.Violations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.Transactional;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Subsystems and namespaces. Each method is one transaction, or a part of its caller's. */
@ApplicationScoped
@Transactional
public class SubsystemService {

    private static final String NQN_PREFIX = "nqn.2026-12.io.fairlead:";
    private static final String MODEL_DEFAULT = "Fairlead";
    private static final int MODEL_CHARACTERS_MAX = 40;
    private static final int SERIAL_RANDOM_BYTES = 8;

    private final SubsystemRepository repository;
    private final Namespaces namespaces;
    private final ObservedService observed;
    private final Instance<SubsystemUse> uses;
    private final AuditWriter audit;
    private final SecureRandom random;
    private final Ids ids;
    private final InstantSource clock;

    SubsystemService(
            SubsystemRepository repository,
            Namespaces namespaces,
            ObservedService observed,
            @Any Instance<SubsystemUse> uses,
            AuditWriter audit,
            SecureRandom random,
            Ids ids,
            InstantSource clock) {
        this.repository = repository;
        this.namespaces = namespaces;
        this.observed = observed;
        this.uses = uses;
        this.audit = audit;
        this.random = random;
        this.ids = ids;
        this.clock = clock;
    }

    /** Says everything that is wrong with a new subsystem; {@code pointer} is where it stands in the request. */
    public void check(SubsystemCreate request, String pointer, FieldErrors errors) {
        if (request.nqn() != null) {
            Nqn.flaw(request.nqn()).ifPresent(flaw -> errors.add(FailureCode.NQN_INVALID, pointer + "/nqn", flaw));
            if (Nqn.DISCOVERY.equals(request.nqn())) {
                errors.add(
                        FailureCode.NQN_INVALID,
                        pointer + "/nqn",
                        "This NQN belongs to the discovery service; choose another one.");
            }
        }
        if (request.serial() != null) {
            SerialNumber.flaw(request.serial())
                    .ifPresent(flaw -> errors.add(FailureCode.SUBSYSTEM_SERIAL_INVALID, pointer + "/serial", flaw));
        }
        if (request.model() != null && !isModel(request.model())) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer + "/model",
                    "Give 1 to 40 printable ASCII characters without a space at either end.");
        }
    }

    private static boolean isModel(String model) {
        return !model.isEmpty()
                && model.length() <= MODEL_CHARACTERS_MAX
                && model.chars().allMatch(c -> c >= 0x20 && c <= 0x7E)
                && model.equals(model.strip());
    }

    /** Makes a subsystem without namespaces; the caller has checked the request. */
    public SubsystemId create(SubsystemCreate request, String pointer) {
        SubsystemEntity subsystem = new SubsystemEntity();
        subsystem.id = ids.next();
        subsystem.nqn = request.nqn() == null ? NQN_PREFIX + "subsystem:" + subsystem.id : request.nqn();
        subsystem.serial = request.serial() == null ? freshSerial() : request.serial();
        subsystem.model = request.model() == null ? MODEL_DEFAULT : request.model();
        subsystem.access = request.access() == null ? DesiredSubsystem.Access.LISTED_HOSTS : request.access();
        subsystem.nextNsid = 1;
        subsystem.createdAt = clock.instant();
        subsystem.updatedAt = subsystem.createdAt;
        if (repository.byNqn(subsystem.nqn).isPresent()) {
            throw nqnTaken(subsystem.nqn, pointer);
        }
        if (repository.bySerial(subsystem.serial).isPresent()) {
            throw serialTaken(subsystem.serial, pointer);
        }
        try {
            repository.persistAndFlush(subsystem);
        } catch (PersistenceException e) {
            if (Violations.isOf(e, "subsystem_nqn_unique")) {
                throw nqnTaken(subsystem.nqn, pointer).because("lost the race", e);
            }
            if (Violations.isOf(e, "subsystem_serial_unique")) {
                throw serialTaken(subsystem.serial, pointer).because("lost the race", e);
            }
            throw e;
        }
        SubsystemId id = new SubsystemId(subsystem.id);
        audit.write(AuditWriter.Change.created("subsystem", subsystem.id, get(id)));
        return id;
    }

    /** Creates a subsystem by itself. */
    public SubsystemView create(SubsystemCreate request) {
        FieldErrors errors = new FieldErrors();
        check(request, "", errors);
        errors.throwIfAny();
        return get(create(request, ""));
    }

    /** Opens the subsystem to any host or closes it. The schema refuses to open one that has a list of hosts, in a race too. */
    public SubsystemAccepted update(SubsystemId id, SubsystemUpdate request, String ifMatch) {
        SubsystemEntity subsystem = lockedFor(id, ifMatch);
        if (request.access() == null) {
            FieldErrors errors = new FieldErrors();
            errors.required("/access");
            errors.throwIfAny();
        }
        SubsystemView before = get(id);
        subsystem.access = request.access();
        subsystem.updatedAt = clock.instant();
        try {
            repository.flush();
        } catch (PersistenceException e) {
            if (Violations.isOf(e, "export_host_subsystem")) {
                throw Failure.ofField(
                                FailureCode.SUBSYSTEM_OPEN_WITH_HOSTS,
                                "/access",
                                "The subsystem has a list of hosts; take them out of its export before opening it to any host.")
                        .because("hosts are listed", e);
            }
            throw e;
        }
        Optional<JobId> job = uses.stream()
                .flatMap(use -> use.onAccessChanged(id, "change access to " + subsystem.nqn).stream())
                .findFirst();
        SubsystemView after = get(id);
        write(AuditWriter.Change.updated("subsystem", subsystem.id, before, after), job);
        return new SubsystemAccepted(after, job.orElse(null));
    }

    private void write(AuditWriter.Change change, Optional<JobId> job) {
        audit.write(job.map(change::by).orElse(change));
    }

    private SubsystemEntity lockedFor(SubsystemId id, String ifMatch) {
        SubsystemEntity subsystem = repository.locked(id.value()).orElseThrow(() -> notFound(id));
        new RowVersion(subsystem.version).requireMatch(ifMatch);
        return subsystem;
    }

    private static Failure nqnTaken(String nqn, String pointer) {
        return Failure.ofField(
                FailureCode.SUBSYSTEM_NQN_TAKEN,
                pointer + "/nqn",
                "A subsystem with the NQN " + nqn + " exists; choose another one.");
    }

    private static Failure serialTaken(String serial, String pointer) {
        return Failure.ofField(
                FailureCode.SUBSYSTEM_SERIAL_TAKEN,
                pointer + "/serial",
                "Another subsystem has the serial number '" + serial + "'; choose another one or leave it out.");
    }

    /** Twenty characters: a mark of ours and 64 random bits; the unique constraint decides the rest. */
    private String freshSerial() {
        byte[] bits = new byte[SERIAL_RANDOM_BYTES];
        random.nextBytes(bits);
        return "FL" + HexFormat.of().withUpperCase().formatHex(bits);
    }

    /** Says everything that is wrong with a new namespace; {@code pointer} is where it stands in the request. */
    public void check(NamespaceCreate request, String pointer, FieldErrors errors) {
        if ((request.volumeId() == null) == (request.driveId() == null)) {
            errors.add(FailureCode.REQUEST_INVALID, pointer, "Give exactly one of volumeId and driveId.");
        }
        if (request.agreedSignature() != null && request.driveId() == null) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer + "/agreedSignature",
                    "An agreed signature goes with a drive; leave it out.");
        }
    }

    /** Adds a namespace on a volume or drive with a new identity; the caller has checked the request and tells the heads. */
    public NamespaceId attach(SubsystemId id, NamespaceCreate request, String pointer) {
        return namespaces.attach(repository.locked(id.value()).orElseThrow(() -> notFound(id)), request, pointer);
    }

    /** The head that holds the subsystem's data; empty while it has no namespace. */
    public Optional<HeadId> headOf(SubsystemId id) {
        return namespaces.headOf(repository.namespacesOf(List.of(id.value())).getOrDefault(id.value(), List.of()));
    }

    public List<NamespaceId> namespacesOf(SubsystemId id) {
        return repository.namespacesOf(List.of(id.value())).getOrDefault(id.value(), List.of()).stream()
                .map(namespace -> new NamespaceId(namespace.id))
                .toList();
    }

    /** Adds a namespace and tells the heads that serve the subsystem. */
    public SubsystemAccepted addNamespace(SubsystemId id, NamespaceCreate request) {
        FieldErrors errors = new FieldErrors();
        check(request, "", errors);
        errors.throwIfAny();
        NamespaceId namespace = attach(id, request, "");
        String summary = "add a namespace to " + require(id).nqn;
        Optional<JobId> job = uses.stream()
                .flatMap(use -> use.onNamespaceAdded(id, namespace, summary).stream())
                .findFirst();
        SubsystemView view = get(id);
        write(AuditWriter.Change.created("namespace", namespace.value(), viewOf(view, namespace)), job);
        return new SubsystemAccepted(view, job.orElse(null));
    }

    private static NamespaceView viewOf(SubsystemView subsystem, NamespaceId id) {
        return subsystem.namespaces().stream()
                .filter(namespace -> namespace.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Removes a namespace; what it is on stays, with its data. */
    public SubsystemAccepted removeNamespace(SubsystemId id, NamespaceId namespaceId, String ifMatch) {
        SubsystemEntity subsystem = lockedFor(id, ifMatch);
        NamespaceEntity namespace = repository
                .namespace(namespaceId.value())
                .filter(found -> found.subsystemId.equals(subsystem.id))
                .orElseThrow(() -> Failure.of(
                        FailureCode.NAMESPACE_NOT_FOUND, "The subsystem has no namespace " + namespaceId + "."));
        NamespaceView before = viewOf(get(id), namespaceId);
        String summary = "remove namespace " + namespace.nsid + " from " + subsystem.nqn;
        Optional<JobId> job = uses.stream()
                .flatMap(use -> use.onNamespaceRemoved(id, namespaceId, summary).stream())
                .findFirst();
        subsystem.updatedAt = clock.instant();
        repository.remove(namespace);
        write(AuditWriter.Change.deleted("namespace", namespaceId.value(), before), job);
        return new SubsystemAccepted(get(id), job.orElse(null));
    }

    /** Removes a subsystem that nobody serves; volumes and drives stay, with their data. */
    public void delete(SubsystemId id, String ifMatch) {
        SubsystemEntity subsystem = lockedFor(id, ifMatch);
        uses.stream().flatMap(use -> use.exportOf(id).stream()).findFirst().ifPresent(export -> {
            throw Failure.of(
                    FailureCode.SUBSYSTEM_IN_USE,
                    "The subsystem is served by the export '" + export + "'; delete that first.");
        });
        SubsystemView before = get(id);
        repository
                .namespacesOf(List.of(subsystem.id))
                .getOrDefault(subsystem.id, List.of())
                .forEach(repository::remove);
        repository.delete(subsystem);
        repository.flush();
        audit.write(AuditWriter.Change.deleted("subsystem", subsystem.id, before));
    }

    /** Access to a subsystem; fails when there is none. */
    public DesiredSubsystem.Access accessOf(SubsystemId id) {
        return require(id).access;
    }

    public String nqnOf(SubsystemId id) {
        return require(id).nqn;
    }

    public SubsystemView get(SubsystemId id) {
        return views(List.of(require(id))).getFirst();
    }

    /** Views of many subsystems with a constant number of statements. */
    public Map<SubsystemId, SubsystemView> views(Collection<SubsystemId> wanted) {
        if (wanted.isEmpty()) {
            return Map.of();
        }
        List<UUID> all = wanted.stream().map(SubsystemId::value).toList();
        return views(repository.list("id in ?1", all)).stream()
                .collect(Collectors.toMap(SubsystemView::id, view -> view));
    }

    /** Subsystems after {@code after} in the order of their ids. */
    List<SubsystemView> page(UUID after, int count) {
        return views(
                repository.find("id > ?1 order by id", after).page(0, count).list());
    }

    private List<SubsystemView> views(List<SubsystemEntity> subsystems) {
        List<UUID> all = subsystems.stream().map(subsystem -> subsystem.id).toList();
        Map<UUID, List<NamespaceEntity>> found = repository.namespacesOf(all);
        Namespaces.Backings backings = namespaces.backingsOf(
                found.values().stream().flatMap(List::stream).toList());
        Map<UUID, ObservedView> states = new HashMap<>(observed.find(ObjectKind.SUBSYSTEM, all));
        states.putAll(observed.find(
                ObjectKind.NAMESPACE,
                found.values().stream()
                        .flatMap(List::stream)
                        .map(namespace -> namespace.id)
                        .toList()));
        return subsystems.stream()
                .map(subsystem -> view(subsystem, found.getOrDefault(subsystem.id, List.of()), backings, states))
                .toList();
    }

    private static SubsystemView view(
            SubsystemEntity subsystem,
            List<NamespaceEntity> namespaces,
            Namespaces.Backings backings,
            Map<UUID, ObservedView> states) {
        Optional<ObservedView> state = Optional.ofNullable(states.get(subsystem.id));
        return new SubsystemView(
                new SubsystemId(subsystem.id),
                subsystem.nqn,
                subsystem.serial,
                subsystem.model,
                subsystem.access,
                namespaces.stream()
                        .map(namespace -> view(namespace, backings, Optional.ofNullable(states.get(namespace.id))))
                        .toList(),
                state.map(ObservedView::state).orElse(null),
                state.flatMap(ObservedView::reason).orElse(null),
                subsystem.version,
                subsystem.createdAt,
                subsystem.updatedAt);
    }

    private static NamespaceView view(
            NamespaceEntity namespace, Namespaces.Backings backings, Optional<ObservedView> state) {
        return new NamespaceView(
                new NamespaceId(namespace.id),
                namespace.nsid,
                namespace.uuid,
                namespace.nguid,
                namespace.eui64,
                backings.sizeBytes(namespace),
                backings.lbaBytes(namespace),
                namespace.anaGroup,
                namespace.volumeId == null ? null : new VolumeId(namespace.volumeId),
                namespace.driveId == null ? null : new DriveId(namespace.driveId),
                state.map(ObservedView::state).orElse(null),
                state.flatMap(ObservedView::reason).orElse(null));
    }

    /** The namespaces of many subsystems as a head shall serve them. */
    public Map<SubsystemId, List<DesiredNamespace>> desiredNamespaces(Collection<SubsystemId> wanted) {
        return namespaces.desired(wanted);
    }

    private SubsystemEntity require(SubsystemId id) {
        return repository.findByIdOptional(id.value()).orElseThrow(() -> notFound(id));
    }

    private static Failure notFound(SubsystemId id) {
        return Failure.of(FailureCode.SUBSYSTEM_NOT_FOUND, "There is no subsystem " + id + ".");
    }
}
