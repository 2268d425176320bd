package io.fairlead.worker.engine.nvmet;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.contract.ContractJson;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What in configfs Fairlead made, and under which ids. configfs keeps names only, and it outlives this process; so the record is a file,
 * and it is written before the object is made: an object that is not in it is never Fairlead's.
 *
 * <p>The file is a journal of JSON lines, so that the thousandth object costs as much as the first; a process writes it anew before its
 * first change. It is worth as much as the boot in which it was written. It need not survive a power cut, after which configfs is empty
 * anyway, and is not synced to the disk. It holds no secret. Used by the reconciler's thread alone.
 */
final class Ownership {

    private static final System.Logger LOG = System.getLogger(Ownership.class.getName());
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final ObjectMapper MAPPER = ContractJson.mapper();

    /** A journal that has grown by more than this, and to more than twice what it began with, is written anew. */
    private static final long GROWTH_MAX_BYTES = 256 * 1024;

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

    /**
     * One line of the file. What is no more is applied before what is.
     *
     * @param gone ids of hosts, subsystems, namespaces and listeners
     * @param kept ports that are not to go any more
     */
    private record Line(
            String bootId,
            List<UUID> gone,
            List<Integer> kept,
            List<HostEntry> hosts,
            List<SubsystemEntry> subsystems,
            List<NamespaceEntry> namespaces,
            List<PortEntry> ports,
            List<Integer> retired) {}

    /** What is changed together. */
    static final class Change {

        private final List<UUID> gone = new ArrayList<>();
        private final List<Integer> kept = new ArrayList<>();
        private final List<HostEntry> hosts = new ArrayList<>();
        private final List<SubsystemEntry> subsystems = new ArrayList<>();
        private final List<NamespaceEntry> namespaces = new ArrayList<>();
        private final List<PortEntry> ports = new ArrayList<>();
        private final List<Integer> retired = new ArrayList<>();

        Change put(HostEntry entry) {
            hosts.add(entry);
            return this;
        }

        Change put(SubsystemEntry entry) {
            subsystems.add(entry);
            return this;
        }

        Change put(NamespaceEntry entry) {
            namespaces.add(entry);
            return this;
        }

        Change put(PortEntry entry) {
            ports.add(entry);
            return this;
        }

        Change remove(HostId id) {
            gone.add(id.value());
            return this;
        }

        Change remove(SubsystemId id) {
            gone.add(id.value());
            return this;
        }

        Change remove(NamespaceId id) {
            gone.add(id.value());
            return this;
        }

        Change remove(ListenerId id) {
            gone.add(id.value());
            return this;
        }

        /** The port's listener has moved away, and the port has to go. */
        Change retire(int port) {
            retired.add(port);
            return this;
        }

        /** The port has gone, or is some listener's. */
        Change unretire(int port) {
            kept.add(port);
            return this;
        }

        private Line line(String bootId) {
            return new Line(bootId, gone, kept, hosts, subsystems, namespaces, ports, retired);
        }
    }

    private final Path file;
    private final String bootId;
    private final Map<HostId, HostEntry> hosts = new LinkedHashMap<>();
    private final Map<SubsystemId, SubsystemEntry> subsystems = new LinkedHashMap<>();
    private final Map<NamespaceId, NamespaceEntry> namespaces = new LinkedHashMap<>();
    private final Map<ListenerId, PortEntry> ports = new LinkedHashMap<>();
    private final Set<Integer> retired = new TreeSet<>();

    /** Where the next line begins, and how long the journal was when it was written anew; 0 as long as this process has written none. */
    private long length;

    private long initialLength;

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
            String journal = Files.readString(file);
            // A line without an end was not there before its object could be made.
            List<Line> lines = new ArrayList<>();
            for (String line :
                    journal.substring(0, journal.lastIndexOf('\n') + 1).lines().toList()) {
                lines.add(MAPPER.readValue(line, Line.class));
            }
            lines.stream().filter(line -> line.bootId().equals(bootId)).forEach(ownership::take);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "event=nvmet-record-unreadable what is exactly as desired is taken over, everything else is left alone",
                    e);
        }
        return ownership;
    }

    private void take(Line line) {
        hosts.keySet().removeIf(id -> line.gone().contains(id.value()));
        subsystems.keySet().removeIf(id -> line.gone().contains(id.value()));
        namespaces.keySet().removeIf(id -> line.gone().contains(id.value()));
        ports.keySet().removeIf(id -> line.gone().contains(id.value()));
        line.kept().forEach(retired::remove);
        line.hosts().forEach(entry -> hosts.put(entry.id(), entry));
        line.subsystems().forEach(entry -> subsystems.put(entry.id(), entry));
        line.namespaces().forEach(entry -> namespaces.put(entry.id(), entry));
        line.ports().forEach(entry -> ports.put(entry.id(), entry));
        retired.addAll(line.retired());
    }

    Map<HostId, HostEntry> hosts() {
        return Collections.unmodifiableMap(hosts);
    }

    Map<SubsystemId, SubsystemEntry> subsystems() {
        return Collections.unmodifiableMap(subsystems);
    }

    Map<NamespaceId, NamespaceEntry> namespaces() {
        return Collections.unmodifiableMap(namespaces);
    }

    Map<ListenerId, PortEntry> ports() {
        return Collections.unmodifiableMap(ports);
    }

    /** Ports whose listeners have moved away and that have to go. */
    Set<Integer> retired() {
        return Collections.unmodifiableSet(retired);
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

    /** Changes the record, once the change is in the file. */
    void change(Consumer<Change> what) {
        Change change = new Change();
        what.accept(change);
        Line line = change.line(bootId);
        try {
            if (length == 0 || length > Math.max(2 * initialLength, initialLength + GROWTH_MAX_BYTES)) {
                writeAnew();
            }
            append(line);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the record of what Fairlead made in configfs cannot be written: " + file, e);
        }
        take(line);
    }

    private void writeAnew() throws IOException {
        Line all = new Line(
                bootId,
                List.of(),
                List.of(),
                List.copyOf(hosts.values()),
                List.copyOf(subsystems.values()),
                List.copyOf(namespaces.values()),
                List.copyOf(ports.values()),
                List.copyOf(retired));
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        Files.deleteIfExists(partial);
        Files.createFile(partial, OWNER_ONLY);
        byte[] bytes = bytes(all);
        Files.write(partial, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        length = bytes.length;
        initialLength = length;
    }

    /** Over what an earlier attempt may have left without an end. */
    private void append(Line line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(line));
        try (FileChannel journal = FileChannel.open(file, StandardOpenOption.WRITE)) {
            journal.truncate(length);
            long at = length;
            while (bytes.hasRemaining()) {
                at += journal.write(bytes, at);
            }
            length = at;
        }
    }

    private static byte[] bytes(Line line) throws IOException {
        return (MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
