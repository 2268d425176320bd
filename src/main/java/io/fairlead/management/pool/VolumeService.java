package io.fairlead.management.pool;

import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldErrors;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.head.ObservedView;
import io.fairlead.management.job.Concern;
import io.fairlead.management.job.JobKind;
import io.fairlead.management.job.JobService;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.Violations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Volumes: carved, grown, destroyed by name. Each method is one transaction, or a part of its caller's. */
@ApplicationScoped
@Transactional
public class VolumeService {

    private static final int NAME_CHARACTERS_MAX = 63;
    private static final int LBA_BYTES_DEFAULT = 4096;
    private static final long SIZE_BYTES_MIN = 1L << 20;
    private static final long SIZE_BYTES_MAX = 1L << 50;
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final VolumeRepository repository;
    private final PoolService pools;
    private final Instance<VolumeUse> uses;
    private final HeadService heads;
    private final ObservedService observed;
    private final JobService jobs;
    private final AuditWriter audit;
    private final Ids ids;
    private final InstantSource clock;

    VolumeService(
            VolumeRepository repository,
            PoolService pools,
            @Any Instance<VolumeUse> uses,
            HeadService heads,
            ObservedService observed,
            JobService jobs,
            AuditWriter audit,
            Ids ids,
            InstantSource clock) {
        this.repository = repository;
        this.pools = pools;
        this.uses = uses;
        this.heads = heads;
        this.observed = observed;
        this.jobs = jobs;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    /** Where a volume is and how large, for the features that build on it. */
    public record Placement(VolumeId id, HeadId headId, String name, long sizeBytes, int lbaBytes) {}

    /** Says everything that is wrong with a new volume; {@code pointer} is where it stands in the request. */
    public void check(VolumeCreate request, String pointer, FieldErrors errors) {
        if (request.name() == null) {
            errors.required(pointer + "/name");
        } else if (request.name().isBlank() || request.name().length() > NAME_CHARACTERS_MAX) {
            errors.add(FailureCode.REQUEST_INVALID, pointer + "/name", "Give a name of 1 to 63 characters.");
        }
        int lbaBytes = lbaBytes(request);
        if (lbaBytes != 512 && lbaBytes != 4096) {
            errors.add(FailureCode.REQUEST_INVALID, pointer + "/lbaBytes", "Give 512 or 4096, or leave it out.");
        } else if (request.sizeBytes() == null) {
            errors.required(pointer + "/sizeBytes");
        } else {
            checkSize(request.sizeBytes(), lbaBytes, pointer + "/sizeBytes", errors);
        }
    }

    private static void checkSize(long sizeBytes, int lbaBytes, String pointer, FieldErrors errors) {
        if (sizeBytes < SIZE_BYTES_MIN || sizeBytes > SIZE_BYTES_MAX) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer,
                    "Give a size from " + SIZE_BYTES_MIN + " (1 MiB) to " + SIZE_BYTES_MAX + " (1 PiB) bytes.");
        } else if (sizeBytes % lbaBytes != 0) {
            errors.add(
                    FailureCode.REQUEST_INVALID, pointer, "Give a multiple of the block size, " + lbaBytes + " bytes.");
        }
    }

    private static int lbaBytes(VolumeCreate request) {
        return request.lbaBytes() == null ? LBA_BYTES_DEFAULT : request.lbaBytes();
    }

    /** Makes the row; the caller has checked the request, and bumps the head and opens the job. */
    public Placement carve(VolumeCreate request, String pointer) {
        PoolEntity pool = pools.chosen(Optional.ofNullable(request.poolId()), pointer + "/poolId");
        if (repository.byName(pool.id, request.name()).isPresent()) {
            throw nameTaken(pool, request.name(), pointer);
        }
        refuseTooMuch(pool, request.sizeBytes(), pointer + "/sizeBytes");
        VolumeEntity volume = new VolumeEntity();
        volume.id = ids.next();
        volume.poolId = pool.id;
        volume.name = request.name();
        volume.sizeBytes = request.sizeBytes();
        volume.lbaBytes = lbaBytes(request);
        volume.presence = DesiredVolume.Presence.PRESENT;
        volume.createdAt = clock.instant();
        volume.updatedAt = volume.createdAt;
        try {
            repository.persistAndFlush(volume);
        } catch (PersistenceException e) {
            if (Violations.isOf(e, "volume_name_unique_in_pool")) {
                throw nameTaken(pool, request.name(), pointer).because("lost the race", e);
            }
            throw e;
        }
        return placement(volume, pool);
    }

    private static Failure nameTaken(PoolEntity pool, String name, String pointer) {
        return Failure.ofField(
                FailureCode.VOLUME_NAME_TAKEN,
                pointer + "/name",
                "The pool '" + pool.name + "' has a volume '" + name + "' already; choose another name.");
    }

    private void refuseTooMuch(PoolEntity pool, long askedBytes, String pointer) {
        long available = pools.availableBytes(pool);
        if (askedBytes > available) {
            throw Failure.ofField(
                            FailureCode.POOL_INSUFFICIENT_CAPACITY,
                            pointer,
                            "The pool '" + pool.name + "' has " + available + " bytes available and " + askedBytes
                                    + " are asked for; ask for less or free some.")
                    .with("availableBytes", available)
                    .with("askedBytes", askedBytes);
        }
    }

    /** Carves a volume by itself. */
    public VolumeAccepted create(VolumeCreate request) {
        FieldErrors errors = new FieldErrors();
        check(request, "", errors);
        errors.throwIfAny();
        Placement placement = carve(request, "");
        JobId job = open(JobKind.VOLUME_CREATE, "carve volume " + placement.name(), placement, Concern.Wanted.READY);
        VolumeView view = get(placement.id());
        audit.write(AuditWriter.Change.created("volume", placement.id().value(), view)
                .by(job));
        return new VolumeAccepted(view, job);
    }

    /** Grows a volume. */
    public VolumeAccepted update(VolumeId id, VolumeUpdate request, String ifMatch) {
        VolumeEntity volume = locked(id);
        new RowVersion(volume.version).requireMatch(ifMatch);
        VolumeView before = get(id);
        PoolEntity pool = pools.chosen(Optional.of(new PoolId(volume.poolId)), "");
        FieldErrors errors = new FieldErrors();
        if (request.sizeBytes() == null) {
            errors.required("/sizeBytes");
        } else {
            checkSize(request.sizeBytes(), volume.lbaBytes, "/sizeBytes", errors);
        }
        errors.throwIfAny();
        if (request.sizeBytes() < volume.sizeBytes) {
            throw Failure.ofField(
                            FailureCode.VOLUME_SHRINK,
                            "/sizeBytes",
                            "The volume has " + volume.sizeBytes + " bytes and " + request.sizeBytes()
                                    + " are asked for; making it smaller would lose data, so it only grows.")
                    .with("currentSize", volume.sizeBytes)
                    .with("askedSize", request.sizeBytes());
        }
        refuseTooMuch(pool, request.sizeBytes() - volume.sizeBytes, "/sizeBytes");
        volume.sizeBytes = request.sizeBytes();
        volume.updatedAt = clock.instant();
        repository.flush();
        Placement placement = placement(volume, pool);
        JobId job = open(
                JobKind.VOLUME_GROW,
                "grow volume " + volume.name + " to " + volume.sizeBytes + " bytes",
                placement,
                Concern.Wanted.READY);
        VolumeView after = get(id);
        audit.write(
                AuditWriter.Change.updated("volume", id.value(), before, after).by(job));
        return new VolumeAccepted(after, job);
    }

    /** Has a volume destroyed. Its row stays until the head has said that it is gone. */
    public VolumeAccepted delete(VolumeId id, String ifMatch) {
        VolumeEntity volume = locked(id);
        new RowVersion(volume.version).requireMatch(ifMatch);
        PoolEntity pool = pools.require(new PoolId(volume.poolId));
        uses.stream().flatMap(use -> use.usedBy(id).stream()).findFirst().ifPresent(user -> {
            throw Failure.of(
                    FailureCode.VOLUME_IN_USE,
                    "The volume is a namespace of " + user + "; remove the namespace first.");
        });
        volume.presence = DesiredVolume.Presence.ABSENT;
        volume.updatedAt = clock.instant();
        repository.flush();
        VolumeView view = view(volume, pool, Optional.empty());
        JobId job = open(
                JobKind.VOLUME_DELETE, "destroy volume " + volume.name, placement(volume, pool), Concern.Wanted.ABSENT);
        audit.write(AuditWriter.Change.deleted("volume", id.value(), view).by(job));
        return new VolumeAccepted(view, job);
    }

    private JobId open(JobKind kind, String summary, Placement placement, Concern.Wanted wanted) {
        Generation generation = heads.bump(placement.headId());
        List<Concern> concerns = Stream.concat(
                        Stream.of(new Concern(
                                placement.headId(),
                                generation,
                                ObjectKind.VOLUME,
                                placement.id().value(),
                                wanted)),
                        uses.stream()
                                .flatMap(use -> use.namespaceOn(placement.id()).stream())
                                .map(namespace -> new Concern(
                                        placement.headId(),
                                        generation,
                                        ObjectKind.NAMESPACE,
                                        namespace.value(),
                                        Concern.Wanted.READY)))
                .toList();
        return jobs.open(kind, summary, concerns, List.of(), DEADLINE);
    }

    /** The volumes that a head shall have, and those that it shall destroy. */
    public List<DesiredVolume> desired(HeadId head) {
        return repository.ofHead(head).stream()
                .map(row -> {
                    VolumeEntity volume = (VolumeEntity) row[0];
                    PoolEntity pool = (PoolEntity) row[1];
                    return new DesiredVolume(
                            new VolumeId(volume.id),
                            new PoolId(pool.id),
                            pool.name,
                            volume.name,
                            volume.sizeBytes,
                            volume.lbaBytes,
                            volume.presence);
                })
                .toList();
    }

    /** Takes over what a head says of its volumes: what they have taken from the pool, and that they are gone. */
    public void report(HeadId head, List<ObjectReport> reports) {
        Map<UUID, ObjectReport> byId = reports.stream()
                .filter(report -> report.kind() == ObjectKind.VOLUME)
                .collect(Collectors.toMap(ObjectReport::id, report -> report, (first, second) -> first));
        // Past the entities: what a head says must neither change the entity tag nor lose against somebody's change.
        byId.forEach((id, report) -> {
            if (report.state() == ObjectState.ABSENT) {
                repository.forget(head, id);
            } else {
                Optional.ofNullable(report.observed().get("sizeBytes"))
                        .filter(size -> size.matches("[0-9]{1,18}"))
                        .ifPresent(size -> repository.allocated(head, id, Long.parseLong(size)));
            }
        });
    }

    public VolumeView get(VolumeId id) {
        VolumeEntity volume = require(id);
        PoolEntity pool = pools.require(new PoolId(volume.poolId));
        return view(volume, pool, observed.find(ObjectKind.VOLUME, volume.id));
    }

    /**
     * Where the volume is; fails when there is none. The volume stays locked until the transaction ends, so that what is built on it
     * and its destruction exclude each other.
     */
    public Placement place(VolumeId id, String pointer) {
        VolumeEntity volume = repository
                .findByIdOptional(id.value(), LockModeType.PESSIMISTIC_WRITE)
                .filter(found -> found.presence == DesiredVolume.Presence.PRESENT)
                .orElseThrow(
                        () -> Failure.ofField(FailureCode.VOLUME_NOT_FOUND, pointer, "There is no volume " + id + "."));
        return placement(volume, pools.require(new PoolId(volume.poolId)));
    }

    /** Placements of many volumes with two statements. */
    public Map<VolumeId, Placement> places(Collection<VolumeId> volumes) {
        if (volumes.isEmpty()) {
            return Map.of();
        }
        List<VolumeEntity> found = repository.list(
                "id in ?1", volumes.stream().map(VolumeId::value).toList());
        Map<UUID, PoolEntity> byId =
                pools.all(found.stream().map(volume -> volume.poolId).distinct().toList());
        return found.stream()
                .map(volume -> placement(volume, byId.get(volume.poolId)))
                .collect(Collectors.toMap(Placement::id, placement -> placement));
    }

    /** Volumes after {@code after} in the order of their ids. */
    List<VolumeView> page(UUID after, int count) {
        List<VolumeEntity> found = repository
                .find("id > ?1 and presence = ?2 order by id", after, DesiredVolume.Presence.PRESENT)
                .page(0, count)
                .list();
        Map<UUID, PoolEntity> byId =
                pools.all(found.stream().map(volume -> volume.poolId).distinct().toList());
        Map<UUID, ObservedView> states = observed.find(
                ObjectKind.VOLUME, found.stream().map(volume -> volume.id).toList());
        return found.stream()
                .map(volume -> view(volume, byId.get(volume.poolId), Optional.ofNullable(states.get(volume.id))))
                .toList();
    }

    private VolumeEntity locked(VolumeId id) {
        return repository
                .findByIdOptional(id.value(), LockModeType.PESSIMISTIC_WRITE)
                .filter(found -> found.presence == DesiredVolume.Presence.PRESENT)
                .orElseThrow(() -> notFound(id));
    }

    private static Failure notFound(VolumeId id) {
        return Failure.of(
                FailureCode.VOLUME_NOT_FOUND, "There is no volume " + id + ". List them with GET /api/v1/volumes.");
    }

    private VolumeEntity require(VolumeId id) {
        return repository
                .findByIdOptional(id.value())
                .filter(found -> found.presence == DesiredVolume.Presence.PRESENT)
                .orElseThrow(() -> notFound(id));
    }

    private static Placement placement(VolumeEntity volume, PoolEntity pool) {
        return new Placement(
                new VolumeId(volume.id), new HeadId(pool.headId), volume.name, volume.sizeBytes, volume.lbaBytes);
    }

    private static VolumeView view(VolumeEntity volume, PoolEntity pool, Optional<ObservedView> observed) {
        return new VolumeView(
                new VolumeId(volume.id),
                new PoolId(pool.id),
                new HeadId(pool.headId),
                volume.name,
                volume.sizeBytes,
                volume.lbaBytes,
                observed.map(ObservedView::state).orElse(ObjectState.PENDING),
                observed.isPresent()
                        ? observed.get().reason().orElse(null)
                        : new Reason("volume.not_reported", "The head has not reported this volume yet."),
                volume.version,
                volume.createdAt,
                volume.updatedAt);
    }
}
