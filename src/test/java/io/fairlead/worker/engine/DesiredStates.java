package io.fairlead.worker.engine;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredAnaState;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredListener;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredPath;
import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.Transport;
import io.fairlead.core.DriveId;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PathId;
import io.fairlead.core.PoolId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.nvme.spec.AnaState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Builds desired states. Each id and identity follows from a name, so that two states speak of the same objects. */
public final class DesiredStates {

    public static final long MEBIBYTE = 1 << 20;
    public static final HeadId HEAD = new HeadId(id("head"));

    private final long generation;
    private final List<DesiredVolume> volumes = new ArrayList<>();
    private final List<DesiredHost> hosts = new ArrayList<>();
    private final List<DesiredSubsystem> subsystems = new ArrayList<>();
    private final List<DesiredListener> listeners = new ArrayList<>();
    private final List<DesiredAnaState> anaStates = new ArrayList<>();
    private final List<DesiredPath> paths = new ArrayList<>();
    private final List<DesiredPool> pools = new ArrayList<>();

    private DesiredStates(long generation) {
        this.generation = generation;
    }

    public static DesiredStates generation(long generation) {
        return new DesiredStates(generation);
    }

    public static UUID id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    public static VolumeId volumeId(String name) {
        return new VolumeId(id("volume " + name));
    }

    public static HostId hostId(String name) {
        return new HostId(id("host " + name));
    }

    public static SubsystemId subsystemId(String name) {
        return new SubsystemId(id("subsystem " + name));
    }

    public static NamespaceId namespaceId(String name) {
        return new NamespaceId(id("namespace " + name));
    }

    public static ListenerId listenerId(String name) {
        return new ListenerId(id("listener " + name));
    }

    public static PathId pathId(String name) {
        return new PathId(id("path " + name));
    }

    public DesiredStates volume(String name, long sizeBytes) {
        return volume(name, sizeBytes, DesiredVolume.Presence.PRESENT);
    }

    public DesiredStates volume(String name, long sizeBytes, DesiredVolume.Presence presence) {
        volumes.add(
                new DesiredVolume(volumeId(name), new PoolId(id("pool main")), "main", name, sizeBytes, 512, presence));
        return this;
    }

    public static PoolId poolId(String name) {
        return new PoolId(id("pool " + name));
    }

    public DesiredStates pool(DesiredPool pool) {
        pools.add(pool);
        return this;
    }

    public DesiredStates host(String name, int secretSeed) {
        UUID identifier = id("host identifier " + name);
        hosts.add(new DesiredHost(
                hostId(name),
                "nqn.2014-08.org.nvmexpress:uuid:" + identifier,
                identifier,
                Optional.of(new DesiredHost.Authentication(
                        TargetSpecs.secret(secretSeed), Optional.empty(), AuthHash.SHA_256, AuthDhGroup.FFDHE_2048))));
        return this;
    }

    public DesiredStates listener(String name, String traddr, int port) {
        listeners.add(new DesiredListener(
                listenerId(name), Transport.TCP, AddressFamily.IPV4, traddr, port, Optional.empty(), Optional.empty()));
        return this;
    }

    public DesiredStates subsystem(
            String name, List<DesiredNamespace> namespaces, List<HostId> allowed, List<ListenerId> at) {
        subsystems.add(new DesiredSubsystem(
                subsystemId(name),
                TargetSpecs.subsystemNqn(name),
                "SERIAL-" + name,
                "Fairlead",
                DesiredSubsystem.Access.LISTED_HOSTS,
                namespaces,
                allowed,
                at));
        return this;
    }

    public DesiredStates path(String name, String subsystem, String host, String listener) {
        paths.add(new DesiredPath(pathId(name), subsystemId(subsystem), hostId(host), listenerId(listener)));
        return this;
    }

    /** The main job in one call: a volume, exported in a subsystem of the same name to one host at one listener. */
    public DesiredStates export(String name, long sizeBytes, String host, String listener) {
        return volume(name, sizeBytes)
                .subsystem(
                        name,
                        List.of(onVolume(name, 1, name, sizeBytes)),
                        List.of(hostId(host)),
                        List.of(listenerId(listener)))
                .path(name, name, host, listener);
    }

    public static DesiredNamespace onVolume(String name, long nsid, String volume, long sizeBytes) {
        return namespace(name, nsid, sizeBytes, new DesiredNamespace.Backing.OfVolume(volumeId(volume)));
    }

    public static DesiredNamespace onDrive(
            String name, long nsid, String identity, String agreedSignature, long sizeBytes) {
        return namespace(
                name,
                nsid,
                sizeBytes,
                new DesiredNamespace.Backing.OfDrive(new DriveId(id("drive " + identity)), identity, agreedSignature));
    }

    private static DesiredNamespace namespace(
            String name, long nsid, long sizeBytes, DesiredNamespace.Backing backing) {
        UUID uuid = id("uuid " + name);
        return new DesiredNamespace(
                namespaceId(name),
                nsid,
                uuid,
                id("nguid " + name).toString().replace("-", ""),
                "0000000000000000",
                sizeBytes,
                512,
                1,
                backing);
    }

    public DesiredStates anaState(String listener, long group, AnaState state) {
        anaStates.add(new DesiredAnaState(listenerId(listener), group, state));
        return this;
    }

    public DesiredState build() {
        return new DesiredState(
                DesiredState.SCHEMA,
                HEAD,
                new Generation(generation),
                new CntlidWindow(1, 100),
                volumes,
                hosts,
                subsystems,
                listeners,
                paths,
                Optional.of(pools),
                anaStates.isEmpty() ? Optional.empty() : Optional.of(anaStates));
    }
}
