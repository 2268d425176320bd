package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredAnaState;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredListener;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredNamespace.Backing;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.inventory.DriveFault;
import io.fairlead.worker.inventory.Drives;
import io.fairlead.worker.ledger.HeadMemory;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a {@link TargetSpec} of a desired state: volumes are had from their pools, drives from the inventory, ports from memory. What
 * cannot be had becomes a condition of its object and is left out, so that the rest is served.
 *
 * <p>A namespace that is served already and whose device cannot be found now stays as it is: looking away is no reason to take it from
 * its hosts.
 */
final class SpecResolution {

    private final DesiredState desired;
    private final ObservedTarget observed;
    private final DrivePools pools;
    private final Drives drives;
    private final Conditions conditions;
    private final HeadMemory.Facts memory;
    private final Map<VolumeId, VolumeStatus> volumes = new HashMap<>();
    private final Map<String, NamespaceId> claims = new HashMap<>();
    private final Map<String, NamespaceId> deviceUsers = new HashMap<>();

    SpecResolution(
            DesiredState desired,
            ObservedTarget observed,
            DrivePools pools,
            Drives drives,
            HeadMemory.Facts memory,
            Conditions conditions) {
        this.desired = desired;
        this.observed = observed;
        this.pools = pools;
        this.drives = drives;
        this.memory = memory;
        this.conditions = conditions;
    }

    TargetSpec resolve() {
        for (DesiredVolume volume : desired.volumes()) {
            switch (volume.presence()) {
                case PRESENT -> ensure(volume);
                case ABSENT -> {
                    // It goes after everything that may still use it.
                }
            }
        }
        observed.subsystems().values().stream()
                .flatMap(subsystem -> subsystem.namespaces().values().stream())
                .forEach(namespace -> deviceUsers.put(namespace.deviceIdentity(), namespace.id()));
        Map<HostId, TargetSpec.HostSpec> hosts = new HashMap<>();
        for (DesiredHost host : desired.hosts()) {
            hosts.put(
                    host.id(),
                    new TargetSpec.HostSpec(host.id(), host.nqn(), host.hostIdentifier(), host.authentication()));
        }
        Map<ListenerId, TargetSpec.ListenerSpec> listeners = new HashMap<>();
        for (DesiredListener listener : desired.listeners()) {
            listeners.put(listener.id(), listenerSpec(listener));
        }
        Map<SubsystemId, TargetSpec.SubsystemSpec> subsystems = new HashMap<>();
        for (DesiredSubsystem subsystem : desired.subsystems()) {
            subsystems.put(subsystem.id(), subsystemSpec(subsystem, hosts.keySet(), listeners.keySet()));
        }
        return new TargetSpec(desired.cntlids(), hosts, subsystems, listeners);
    }

    /** What the pools said of the volumes that shall be there; those that cannot be had are not in it. */
    Map<VolumeId, VolumeStatus> volumes() {
        return volumes;
    }

    /** The drives that namespaces of this desired state hold. */
    Map<String, NamespaceId> claims() {
        return claims;
    }

    static String deviceIdentity(VolumeId volume) {
        return "volume." + volume;
    }

    private void ensure(DesiredVolume volume) {
        ObjectRef object = ObjectRef.of(volume.id());
        try {
            Pool.History history = memory.volumes().contains(volume.id()) ? Pool.History.MADE_BEFORE : Pool.History.NEW;
            VolumeStatus status = pools.require(volume).ensure(volume, history);
            volumes.put(volume.id(), status);
            switch (status) {
                case VolumeStatus.Ready ready -> {
                    // Nothing is wrong with it.
                }
                case VolumeStatus.Allocating allocating ->
                    conditions.add(
                            object,
                            Condition.waiting("volume.allocating", "The space of the volume is being allocated."));
                case VolumeStatus.Growing growing ->
                    conditions.add(
                            object,
                            Condition.waiting("volume.growing", "More space for the volume is being allocated."));
            }
        } catch (VolumeFault e) {
            conditions.add(object, Condition.of(e));
        }
    }

    private TargetSpec.ListenerSpec listenerSpec(DesiredListener listener) {
        int port = listener.trsvcid() == 0 ? memory.ports().getOrDefault(listener.id(), 0) : listener.trsvcid();
        return new TargetSpec.ListenerSpec(
                listener.id(),
                listener.transport(),
                listener.adrfam(),
                listener.traddr(),
                port,
                listener.inCapsuleBytes(),
                listener.queueSizeMax(),
                anaStates(listener.id()));
    }

    private Map<Long, AnaState> anaStates(ListenerId listener) {
        Map<Long, AnaState> states = new HashMap<>();
        for (DesiredAnaState ana : desired.anaStates().orElse(List.of())) {
            if (ana.listenerId().equals(listener)) {
                states.put(ana.anaGroup(), ana.state());
            }
        }
        return states;
    }

    private TargetSpec.SubsystemSpec subsystemSpec(
            DesiredSubsystem subsystem, Set<HostId> hosts, Set<ListenerId> listeners) {
        Map<NamespaceId, TargetSpec.NamespaceSpec> namespaces = new HashMap<>();
        List<DesiredNamespace> ordered = subsystem.namespaces().stream()
                .sorted(Comparator.comparing(namespace -> namespace.id().value()))
                .toList();
        for (DesiredNamespace namespace : ordered) {
            TargetSpec.NamespaceSpec spec = namespaceSpec(subsystem, namespace);
            if (spec != null) {
                namespaces.put(namespace.id(), spec);
            }
        }
        return new TargetSpec.SubsystemSpec(
                subsystem.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                subsystem.access(),
                namespaces,
                known(subsystem, subsystem.allowedHosts(), hosts, "subsystem.host_unknown", "host"),
                known(subsystem, subsystem.listeners(), listeners, "subsystem.listener_unknown", "listener"));
    }

    private <T> Set<T> known(DesiredSubsystem subsystem, List<T> named, Set<T> known, String code, String what) {
        Set<T> usable = new HashSet<>(named);
        for (T name : named) {
            if (!known.contains(name)) {
                conditions.add(
                        ObjectRef.of(subsystem.id()),
                        Condition.broken(code, "The desired state names the " + what + " " + name + " and lacks it."));
                usable.remove(name);
            }
        }
        return usable;
    }

    /** The spec, or null with a condition that says why there is none. */
    private TargetSpec.NamespaceSpec namespaceSpec(DesiredSubsystem subsystem, DesiredNamespace namespace) {
        String identity = switch (namespace.backing()) {
            case Backing.OfVolume volume -> deviceIdentity(volume.volumeId());
            case Backing.OfDrive drive -> drive.identity();
        };
        ObservedNamespace present = present(subsystem, namespace);
        try {
            requireAlone(namespace, identity);
            Device device = switch (namespace.backing()) {
                case Backing.OfVolume volume -> ofVolume(namespace, volume);
                case Backing.OfDrive drive -> ofDrive(namespace, drive);
            };
            return spec(namespace, identity, device);
        } catch (EngineFault e) {
            conditions.add(ObjectRef.of(namespace.id()), Condition.of(e));
        }
        if (present == null) {
            return null;
        }
        TargetSpec.NamespaceSpec asServed = spec(namespace, identity, new Device(Path.of(""), present.sizeBytes()));
        if (!Planner.sameIdentity(asServed, present)) {
            return null;
        }
        if (namespace.backing() instanceof Backing.OfDrive) {
            claims.put(identity, namespace.id());
        }
        return asServed;
    }

    private record Device(Path path, long sizeBytes) {}

    private static TargetSpec.NamespaceSpec spec(DesiredNamespace namespace, String identity, Device device) {
        return new TargetSpec.NamespaceSpec(
                namespace.id(),
                namespace.nsid(),
                namespace.uuid(),
                namespace.nguid(),
                namespace.eui64(),
                device.sizeBytes(),
                namespace.lbaBytes(),
                namespace.anaGroup(),
                device.path(),
                identity);
    }

    private ObservedNamespace present(DesiredSubsystem subsystem, DesiredNamespace namespace) {
        ObservedSubsystem served = observed.subsystems().get(subsystem.id());
        return served == null ? null : served.namespaces().get(namespace.id());
    }

    private void requireAlone(DesiredNamespace namespace, String identity) throws EngineFault {
        NamespaceId user = deviceUsers.putIfAbsent(identity, namespace.id());
        if (user != null && !user.equals(namespace.id())) {
            throw EngineFault.broken(
                    "namespace.device_shared",
                    "Namespace " + user + " uses the same device. One device is one namespace.",
                    null);
        }
    }

    private Device ofVolume(DesiredNamespace namespace, Backing.OfVolume backing) throws EngineFault {
        VolumeStatus status = volumes.get(backing.volumeId());
        if (status == null) {
            Condition cause = conditions
                    .of(ObjectRef.of(backing.volumeId()))
                    .orElse(Condition.broken(
                            "volume.unknown",
                            "The desired state has no volume " + backing.volumeId() + ", or says it shall be absent."));
            throw because(cause, "namespace.volume_unavailable", "Its volume cannot be used.");
        }
        return switch (status) {
            case VolumeStatus.Ready ready -> sized(namespace, ready);
            case VolumeStatus.Growing growing -> {
                conditions.add(
                        ObjectRef.of(namespace.id()),
                        Condition.waiting("namespace.volume_growing", "Its volume is being grown."));
                yield sized(namespace, growing.present());
            }
            case VolumeStatus.Allocating allocating ->
                throw EngineFault.notYet(
                        "namespace.volume_allocating", "The space of its volume is being allocated.", null);
        };
    }

    /** Never more than the volume has: the rest follows when it has been grown. */
    private static Device sized(DesiredNamespace namespace, VolumeStatus.Ready volume) {
        return new Device(volume.device(), Math.min(namespace.sizeBytes(), volume.sizeBytes()));
    }

    private Device ofDrive(DesiredNamespace namespace, Backing.OfDrive backing) throws EngineFault {
        if (memory.poolDrives().containsKey(backing.identity())) {
            throw EngineFault.broken(
                    "drive.in_use",
                    "Its drive is in pool " + memory.poolDrives().get(backing.identity())
                            + ". One drive is one or the other.",
                    null);
        }
        boolean claimed = namespace.id().equals(memory.claims().get(backing.identity()));
        if (claimed) {
            // Also while the drive is away: it comes back with the hosts' data on it.
            claims.put(backing.identity(), namespace.id());
        }
        try {
            Path device = claimed
                    ? drives.find(backing.identity())
                    : drives.findUnused(backing.identity(), backing.agreedSignature());
            claims.put(backing.identity(), namespace.id());
            return new Device(device, namespace.sizeBytes());
        } catch (DriveFault e) {
            throw because(Condition.of(e), e.reason().code(), "Its drive cannot be used.");
        }
    }

    private static EngineFault because(Condition cause, String code, String text) {
        Condition condition = cause.asCauseOf(code, text);
        return switch (condition.severity()) {
            case WAITING -> EngineFault.notYet(code, condition.reason().text(), null);
            case BROKEN -> EngineFault.broken(code, condition.reason().text(), null);
        };
    }
}
