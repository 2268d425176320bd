package io.fairlead.worker.engine.nvmet;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.contract.ContractJson;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What in configfs Fairlead made, and under which ids. configfs keeps names only, and it outlives this process; so the record is a file,
 * and it is written before the object is made: an object that is not in it is never Fairlead's.
 *
 * <p>It is worth as much as the boot in which it was written. It need not survive a power cut, after which configfs is empty anyway, and
 * is not synced to the disk. It holds no secret.
 */
final class Ownership {

    private static final System.Logger LOG = System.getLogger(Ownership.class.getName());
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final ObjectMapper MAPPER = ContractJson.mapper();

    /**
     * A host directory.
     *
     * @param fingerprint of the spec that was put
     * @param written a summary of the attributes as they were read back; another one now means that somebody changed them
     */
    record HostEntry(HostId id, String nqn, String fingerprint, String written) {}

    /** A subsystem directory. */
    record SubsystemEntry(SubsystemId id, String nqn) {}

    /**
     * A namespace directory.
     *
     * @param instance of the device at the time when it was enabled
     * @param sizeBytes of the device when the kernel last looked
     * @param eui64 as it was asked for; the kernel's target has no attribute for it
     */
    record NamespaceEntry(
            NamespaceId id,
            SubsystemId subsystem,
            long nsid,
            String device,
            String deviceIdentity,
            String instance,
            long sizeBytes,
            int lbaBytes,
            String eui64) {}

    /** A port directory. */
    record PortEntry(ListenerId id, int port) {}

    /** The file's content. */
    record Content(
            String bootId,
            List<HostEntry> hosts,
            List<SubsystemEntry> subsystems,
            List<NamespaceEntry> namespaces,
            List<PortEntry> ports,
            Set<Integer> retired) {}

    private final Path file;
    private final String bootId;
    private final Map<HostId, HostEntry> hosts = new LinkedHashMap<>();
    private final Map<SubsystemId, SubsystemEntry> subsystems = new LinkedHashMap<>();
    private final Map<NamespaceId, NamespaceEntry> namespaces = new LinkedHashMap<>();
    private final Map<ListenerId, PortEntry> ports = new LinkedHashMap<>();
    private final Set<Integer> retired = new TreeSet<>();

    private Ownership(Path file, String bootId) {
        this.file = file;
        this.bootId = bootId;
    }

    /** Reads the record; one of an earlier boot, or one that cannot be read, says nothing. */
    static Ownership open(Path file, String bootId) {
        Ownership ownership = new Ownership(file, bootId);
        if (!Files.exists(file)) {
            return ownership;
        }
        try {
            Content content = MAPPER.readValue(file.toFile(), Content.class);
            if (content.bootId().equals(bootId)) {
                ownership.take(content);
            }
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=nvmet-record-unreadable what is exactly as desired is taken over, everything else is left alone",
                    e);
        }
        return ownership;
    }

    private void take(Content content) {
        content.hosts().forEach(entry -> hosts.put(entry.id(), entry));
        content.subsystems().forEach(entry -> subsystems.put(entry.id(), entry));
        content.namespaces().forEach(entry -> namespaces.put(entry.id(), entry));
        content.ports().forEach(entry -> ports.put(entry.id(), entry));
        retired.addAll(content.retired());
    }

    Map<HostId, HostEntry> hosts() {
        return hosts;
    }

    Map<SubsystemId, SubsystemEntry> subsystems() {
        return subsystems;
    }

    Map<NamespaceId, NamespaceEntry> namespaces() {
        return namespaces;
    }

    Map<ListenerId, PortEntry> ports() {
        return ports;
    }

    /** Ports whose listeners have moved away and that have to go. */
    Set<Integer> retired() {
        return retired;
    }

    List<NamespaceEntry> namespacesOf(SubsystemId subsystem) {
        return namespaces.values().stream()
                .filter(entry -> entry.subsystem().equals(subsystem))
                .toList();
    }

    boolean ownsHost(String nqn) {
        return hosts.values().stream().anyMatch(entry -> entry.nqn().equals(nqn));
    }

    boolean ownsSubsystem(String nqn) {
        return subsystems.values().stream().anyMatch(entry -> entry.nqn().equals(nqn));
    }

    boolean ownsPort(int port) {
        return retired.contains(port) || ports.values().stream().anyMatch(entry -> entry.port() == port);
    }

    /** Changes the record and has it in the file before it returns. */
    void change(Consumer<Ownership> change) {
        change.accept(this);
        Content content = new Content(
                bootId,
                new ArrayList<>(hosts.values()),
                new ArrayList<>(subsystems.values()),
                new ArrayList<>(namespaces.values()),
                new ArrayList<>(ports.values()),
                retired);
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try {
            Files.deleteIfExists(partial);
            Files.createFile(partial, OWNER_ONLY);
            Files.write(partial, MAPPER.writeValueAsBytes(content), StandardOpenOption.TRUNCATE_EXISTING);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the record of what Fairlead made in configfs cannot be written: " + file, e);
        }
    }
}
