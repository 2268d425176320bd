package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DriveReport;
import io.fairlead.core.DriveId;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.drive.Drive;
import io.fairlead.management.drive.DriveService;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.platform.database.Violations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.PersistenceException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Gives namespaces their identities, once, and knows what lies behind them. Part of its caller's transaction. */
@ApplicationScoped
class Namespaces {

    /** What the target advertises as NN and MNAN. */
    static final long NAMESPACES_MAX = 1024;

    private static final int NGUID_BYTES = 16;
    private static final long ANA_GROUP_DEFAULT = 1;
    private static final String NO_EUI64 = "0".repeat(16);

    private final SubsystemRepository repository;
    private final VolumeService volumes;
    private final DriveService drives;
    private final SecureRandom random;
    private final Ids ids;
    private final InstantSource clock;

    Namespaces(
            SubsystemRepository repository,
            VolumeService volumes,
            DriveService drives,
            SecureRandom random,
            Ids ids,
            InstantSource clock) {
        this.repository = repository;
        this.volumes = volumes;
        this.drives = drives;
        this.random = random;
        this.ids = ids;
        this.clock = clock;
    }

    /** Adds a namespace on a volume or drive with a new identity; the subsystem is locked. */
    NamespaceId attach(SubsystemEntity subsystem, NamespaceCreate request, String pointer) {
        List<NamespaceEntity> present =
                repository.namespacesOf(List.of(subsystem.id)).getOrDefault(subsystem.id, List.of());
        NamespaceEntity namespace = new NamespaceEntity();
        namespace.id = ids.next();
        namespace.subsystemId = subsystem.id;
        namespace.nsid = freeNsid(subsystem, present);
        namespace.uuid = ids.next();
        byte[] nguid = new byte[NGUID_BYTES];
        random.nextBytes(nguid);
        namespace.nguid = HexFormat.of().formatHex(nguid);
        namespace.eui64 = NO_EUI64;
        namespace.anaGroup = ANA_GROUP_DEFAULT;
        namespace.createdAt = clock.instant();
        HeadId head = back(namespace, request, pointer);
        headOf(present).filter(other -> !other.equals(head)).ifPresent(other -> {
            throw Failure.ofField(
                    FailureCode.EXPORT_HEAD_MISMATCH,
                    pointer,
                    "The subsystem's other namespaces are on another head; all of them have to be on one.");
        });
        try {
            repository.add(namespace);
        } catch (PersistenceException e) {
            throw backingTaken(e, request, pointer);
        }
        return new NamespaceId(namespace.id);
    }

    private HeadId back(NamespaceEntity namespace, NamespaceCreate request, String pointer) {
        if (request.volumeId() != null) {
            VolumeService.Placement volume = volumes.place(request.volumeId(), pointer + "/volumeId");
            repository.namespaceOn(request.volumeId()).ifPresent(other -> {
                throw Failure.ofField(
                        FailureCode.VOLUME_IN_USE,
                        pointer + "/volumeId",
                        "The volume is a namespace already; choose another one.");
            });
            namespace.volumeId = request.volumeId().value();
            return volume.headId();
        }
        Drive drive = usable(request.driveId(), request.agreedSignature(), pointer + "/driveId");
        repository.namespaceOnDrive(request.driveId().value()).ifPresent(other -> {
            throw Failure.ofField(
                    FailureCode.DRIVE_IN_USE,
                    pointer + "/driveId",
                    "The drive is a namespace already; choose another one.");
        });
        namespace.driveId = request.driveId().value();
        namespace.agreedSignature = request.agreedSignature() == null ? "" : request.agreedSignature();
        return drive.headId();
    }

    /** The drive, unless it is in use by more than the signature whose loss is agreed to. */
    private Drive usable(DriveId id, String agreedSignature, String pointer) {
        Drive drive = drives.get(id);
        List<DriveReport.InUseReason> reasons = drive.inUse().stream()
                .filter(reason -> reason.signature().isEmpty()
                        || !reason.signature().get().equals(agreedSignature))
                .toList();
        if (!reasons.isEmpty()) {
            throw Failure.ofField(
                            FailureCode.DRIVE_IN_USE,
                            pointer,
                            "The drive is in use: "
                                    + reasons.stream()
                                            .map(DriveReport.InUseReason::text)
                                            .collect(Collectors.joining(" "))
                                    + " Choose another one; where only a signature is in the way, name it in agreedSignature to lose it.")
                    .with("reasons", reasons);
        }
        return drive;
    }

    private static RuntimeException backingTaken(PersistenceException e, NamespaceCreate request, String pointer) {
        if (Violations.isOf(e, "namespace_volume_used_once")) {
            return Failure.ofField(
                            FailureCode.VOLUME_IN_USE,
                            pointer + "/volumeId",
                            "The volume is a namespace already; choose another one.")
                    .because("lost the race for " + request, e);
        }
        if (Violations.isOf(e, "namespace_drive_used_once")) {
            return Failure.ofField(
                            FailureCode.DRIVE_IN_USE,
                            pointer + "/driveId",
                            "The drive is a namespace already; choose another one.")
                    .because("lost the race for " + request, e);
        }
        return e;
    }

    /** The next free NSID after the last one given out, so that one that was just freed is not used again at once. */
    private static long freeNsid(SubsystemEntity subsystem, List<NamespaceEntity> present) {
        Set<Long> taken =
                present.stream().map(namespace -> namespace.nsid).collect(Collectors.toCollection(HashSet::new));
        long nsid = LongStream.concat(
                        LongStream.rangeClosed(subsystem.nextNsid, NAMESPACES_MAX),
                        LongStream.range(1, subsystem.nextNsid))
                .filter(candidate -> !taken.contains(candidate))
                .findFirst()
                .orElseThrow(() -> Failure.of(
                        FailureCode.NAMESPACE_LIMIT,
                        "The subsystem has " + NAMESPACES_MAX
                                + " namespaces, which is the most; use another subsystem."));
        subsystem.nextNsid = nsid % NAMESPACES_MAX + 1;
        return nsid;
    }

    /** The head that holds their data; empty when there are none. */
    Optional<HeadId> headOf(List<NamespaceEntity> namespaces) {
        return namespaces.stream().findFirst().map(this::headOf);
    }

    private HeadId headOf(NamespaceEntity namespace) {
        if (namespace.volumeId != null) {
            VolumeId volume = new VolumeId(namespace.volumeId);
            return volumes.places(List.of(volume)).get(volume).headId();
        }
        DriveId drive = new DriveId(namespace.driveId);
        return drives.get(drive).headId();
    }

    /** What lies behind a number of namespaces, read at once. */
    record Backings(Map<VolumeId, VolumeService.Placement> volumes, Map<DriveId, Drive> drives) {
        long sizeBytes(NamespaceEntity namespace) {
            return namespace.volumeId != null
                    ? volumes.get(new VolumeId(namespace.volumeId)).sizeBytes()
                    : drives.get(new DriveId(namespace.driveId)).sizeBytes();
        }

        int lbaBytes(NamespaceEntity namespace) {
            return namespace.volumeId != null
                    ? volumes.get(new VolumeId(namespace.volumeId)).lbaBytes()
                    : drives.get(new DriveId(namespace.driveId)).lbaBytes();
        }
    }

    Backings backingsOf(List<NamespaceEntity> namespaces) {
        return new Backings(
                volumes.places(namespaces.stream()
                        .filter(namespace -> namespace.volumeId != null)
                        .map(namespace -> new VolumeId(namespace.volumeId))
                        .toList()),
                namespaces.stream()
                        .filter(namespace -> namespace.driveId != null)
                        .map(namespace -> drives.get(new DriveId(namespace.driveId)))
                        .collect(Collectors.toMap(Drive::id, drive -> drive)));
    }

    /** The namespaces of many subsystems as a head shall serve them. */
    Map<SubsystemId, List<DesiredNamespace>> desired(Collection<SubsystemId> wanted) {
        Map<UUID, List<NamespaceEntity>> namespaces =
                repository.namespacesOf(wanted.stream().map(SubsystemId::value).toList());
        Backings backings =
                backingsOf(namespaces.values().stream().flatMap(List::stream).toList());
        return wanted.stream()
                .collect(Collectors.toMap(
                        id -> id,
                        id -> namespaces.getOrDefault(id.value(), List.of()).stream()
                                .map(namespace -> desired(namespace, backings))
                                .toList()));
    }

    private static DesiredNamespace desired(NamespaceEntity namespace, Backings backings) {
        DesiredNamespace.Backing backing = namespace.volumeId != null
                ? new DesiredNamespace.Backing.OfVolume(new VolumeId(namespace.volumeId))
                : new DesiredNamespace.Backing.OfDrive(
                        new DriveId(namespace.driveId),
                        backings.drives().get(new DriveId(namespace.driveId)).identity(),
                        namespace.agreedSignature);
        return new DesiredNamespace(
                new NamespaceId(namespace.id),
                namespace.nsid,
                namespace.uuid,
                namespace.nguid,
                namespace.eui64,
                backings.sizeBytes(namespace),
                backings.lbaBytes(namespace),
                namespace.anaGroup,
                backing);
    }
}
