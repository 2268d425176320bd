package io.fairlead.worker.volume.lvm;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fairlead.contract.Reason;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A machine with drives and LVM's rules: extents are given out once, names collide, what is open stays, devices that a command was not
 * told of do not exist for it. Extents remember whether they show what was written to them before.
 */
final class FakeLvm implements LvmTool, BlockNodes {

    static final long EXTENT_BYTES = 4L << 20;

    private static final String UUID_FORM = "%06d-0000-0000-0000-0000-0000-000000";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static final class Drive {
        final String device;
        final int extentCount;
        /** What it showed before LVM had it. */
        boolean isBlank = true;

        boolean isPlugged = true;
        String uuid = "";
        FakeGroup group;
        boolean isFlaggedMissing;
        final BitSet allocated = new BitSet();
        final BitSet dirty = new BitSet();

        private Drive(String device, int extentCount) {
            this.device = device;
            this.extentCount = extentCount;
            dirty.set(0, extentCount);
        }

        boolean isMissing() {
            return !isPlugged || isFlaggedMissing;
        }
    }

    static final class FakeGroup {
        final String uuid;
        final String name;
        final Set<String> tags = new TreeSet<>();
        final Map<String, FakeVolume> volumes = new LinkedHashMap<>();

        private FakeGroup(String uuid, String name) {
            this.uuid = uuid;
            this.name = name;
        }
    }

    record Piece(Drive drive, int from, int count) {}

    static final class FakeVolume {
        final String uuid;
        final String name;
        final Set<String> tags = new TreeSet<>();
        String kind;
        int stripes = 1;
        long extents;
        boolean isActive;
        boolean isOpen;
        String health = "";
        /** One list for each drive-bound part of the volume; of a linear one a single part. */
        final List<List<Piece>> images = new ArrayList<>();

        final List<Piece> notes = new ArrayList<>();
        FakeVolume metadata;

        private FakeVolume(String uuid, String name, String kind) {
            this.uuid = uuid;
            this.name = name;
            this.kind = kind;
        }
    }

    final Map<String, Drive> drives = new LinkedHashMap<>();
    final List<FakeGroup> groups = new ArrayList<>();
    final List<List<String>> commands = new ArrayList<>();
    final Map<String, String> wrongNodes = new HashMap<>();
    final Map<String, List<String>> users = new HashMap<>();
    Optional<Reason> absence = Optional.empty();
    /** The command, by name, at which the power goes: before it does anything, or right after. */
    String powerGoesBefore = "";

    String powerGoesAfter = "";
    IOException zeroingFails;
    private int lastUuid;

    Drive add(String device, int extentCount) {
        Drive drive = new Drive(device, extentCount);
        drives.put(device, drive);
        return drive;
    }

    FakeGroup group(String name) {
        return groups.stream()
                .filter(group -> group.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    FakeVolume volume(String name) {
        return groups.stream()
                .flatMap(group -> group.volumes.values().stream())
                .filter(volume -> volume.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A group of somebody else's on the drive. */
    FakeGroup foreignGroup(String name, Drive drive, String... tags) {
        FakeGroup group = new FakeGroup(nextUuid(), name);
        group.tags.addAll(List.of(tags));
        drive.uuid = nextUuid();
        drive.group = group;
        drive.isBlank = false;
        groups.add(group);
        return group;
    }

    FakeVolume foreignVolume(FakeGroup group, String name, String... tags) {
        FakeVolume volume = new FakeVolume(nextUuid(), name, "linear");
        volume.tags.addAll(List.of(tags));
        Drive drive = drivesOf(group).getFirst();
        volume.extents = 2;
        volume.images.add(take(List.of(drive), 2));
        group.volumes.put(name, volume);
        return volume;
    }

    boolean showsFormerData(String volumeName) {
        return volume(volumeName).images.stream()
                .flatMap(List::stream)
                .anyMatch(piece -> piece.drive
                                .dirty
                                .get(piece.from, piece.from + piece.count)
                                .cardinality()
                        > 0);
    }

    /** As after a restart of the machine. */
    void restart() {
        powerGoesBefore = "";
        powerGoesAfter = "";
        groups.forEach(group -> group.volumes.values().forEach(volume -> volume.isActive = false));
    }

    List<String> changes() {
        return commands.stream()
                .map(List::getFirst)
                .filter(name -> !name.equals("fullreport"))
                .toList();
    }

    @Override
    public Optional<Reason> absence() {
        return absence;
    }

    @Override
    public synchronized String run(List<String> arguments) throws LvmFault {
        commands.add(List.copyOf(arguments));
        String name = arguments.getFirst();
        if (name.equals(powerGoesBefore)) {
            throw new LvmFault(name + " was stopped with the machine.");
        }
        Command command = new Command(arguments);
        String answer = switch (name) {
            case "fullreport" -> report(command);
            case "pvcreate" -> pvcreate(command);
            case "pvremove" -> pvremove(command);
            case "vgcreate" -> vgcreate(command);
            case "vgextend" -> vgextend(command);
            case "vgremove" -> vgremove(command);
            case "lvcreate" -> lvcreate(command);
            case "lvchange" -> lvchange(command);
            case "lvextend" -> lvextend(command);
            case "lvconvert" -> lvconvert(command);
            case "lvremove" -> lvremove(command);
            default -> throw new LvmFault("No such command " + name + ".");
        };
        if (name.equals(powerGoesAfter)) {
            throw new LvmFault(name + " was stopped with the machine.");
        }
        return answer;
    }

    /** The words of a command: options that take a value, options that take none, and the rest. */
    private final class Command {
        private static final Set<String> FLAGS =
                Set.of("--yes", "--nosync", "--norestorefile", "--restoremissing", "--refresh", "--all", "--nosuffix");

        private final Map<String, String> options = new HashMap<>();
        private final Set<String> flags = new HashSet<>();
        private final List<String> operands = new ArrayList<>();

        private Command(List<String> arguments) {
            for (int index = 1; index < arguments.size(); index++) {
                String word = arguments.get(index);
                if (FLAGS.contains(word)) {
                    flags.add(word);
                } else if (word.startsWith("--")) {
                    options.merge(word, arguments.get(++index), (one, other) -> one + " " + other);
                } else {
                    operands.add(word);
                }
            }
        }

        private String option(String name) {
            return Optional.ofNullable(options.get(name)).orElseThrow();
        }

        private boolean sees(Drive drive) {
            return drive.isPlugged
                    && (!options.containsKey("--devices")
                            || Arrays.asList(option("--devices").split(",")).contains(drive.device));
        }

        private Drive drive(String device) throws LvmFault {
            Drive drive = drives.get(device);
            if (drive == null || !sees(drive)) {
                throw new LvmFault("No device found for " + device + ".");
            }
            return drive;
        }

        private FakeGroup group(String name) throws LvmFault {
            return groups.stream()
                    .filter(group ->
                            group.name.equals(name) && drivesOf(group).stream().anyMatch(this::sees))
                    .findFirst()
                    .orElseThrow(() -> new LvmFault("Volume group \"" + name + "\" not found."));
        }

        private FakeGroup wholeGroup(String name) throws LvmFault {
            FakeGroup group = group(name);
            if (drivesOf(group).stream().anyMatch(drive -> drive.isMissing() || !sees(drive))) {
                throw new LvmFault("Cannot change VG " + name + " while PVs are missing.");
            }
            return group;
        }

        private FakeVolume volume(FakeGroup group, String path) throws LvmFault {
            FakeVolume volume = group.volumes.get(path.substring(path.indexOf('/') + 1));
            if (volume == null) {
                throw new LvmFault("Failed to find logical volume \"" + path + "\".");
            }
            return volume;
        }
    }

    private static String groupOf(String path) {
        return path.substring(0, path.indexOf('/'));
    }

    private String pvcreate(Command command) throws LvmFault {
        Drive drive = command.drive(command.operands.getFirst());
        if (!drive.uuid.isEmpty() || !drive.isBlank) {
            throw new LvmFault("WARNING signature detected on " + drive.device + ". Aborted wiping.");
        }
        drive.uuid = command.option("--uuid");
        return "";
    }

    private String pvremove(Command command) throws LvmFault {
        Drive drive = command.drive(command.operands.getFirst());
        if (drive.group != null) {
            throw new LvmFault("PV " + drive.device + " is used by VG " + drive.group.name + ".");
        }
        drive.uuid = "";
        return "";
    }

    private String vgcreate(Command command) throws LvmFault {
        String name = command.operands.getFirst();
        if (groups.stream()
                .anyMatch(group ->
                        group.name.equals(name) && drivesOf(group).stream().anyMatch(command::sees))) {
            throw new LvmFault("A volume group called " + name + " already exists.");
        }
        FakeGroup group = new FakeGroup(nextUuid(), name);
        group.tags.add(command.option("--addtag"));
        for (String device : command.operands.subList(1, command.operands.size())) {
            join(group, command.drive(device));
        }
        groups.add(group);
        return "";
    }

    private static void join(FakeGroup group, Drive drive) throws LvmFault {
        if (drive.uuid.isEmpty() || drive.group != null) {
            throw new LvmFault("Cannot use " + drive.device + ": no physical volume, or in a volume group.");
        }
        drive.group = group;
    }

    private String vgextend(Command command) throws LvmFault {
        Drive drive = command.drive(command.operands.get(1));
        if (command.flags.contains("--restoremissing")) {
            command.group(command.operands.getFirst());
            drive.isFlaggedMissing = false;
        } else {
            join(command.wholeGroup(command.operands.getFirst()), drive);
        }
        return "";
    }

    private String vgremove(Command command) throws LvmFault {
        FakeGroup group = command.wholeGroup(command.operands.getFirst());
        if (!group.volumes.isEmpty()) {
            throw new LvmFault("Do you really want to remove volume group? [y/n]: [n].");
        }
        drivesOf(group).forEach(drive -> drive.group = null);
        groups.remove(group);
        return "";
    }

    private String lvcreate(Command command) throws LvmFault {
        FakeGroup group = command.wholeGroup(command.operands.getFirst());
        String name = command.option("--name");
        if (group.volumes.containsKey(name)) {
            throw new LvmFault("Logical Volume \"" + name + "\" already exists in volume group.");
        }
        String kind = command.option("--type");
        FakeVolume volume = new FakeVolume(nextUuid(), name, kind);
        if (kind.equals("thin")) {
            FakeVolume pool = command.volume(group, "/" + command.option("--thinpool"));
            if (!pool.kind.equals("thin-pool")) {
                throw new LvmFault(pool.name + " is not a thin pool.");
            }
            volume.extents = bytes(command.option("--virtualsize")) / EXTENT_BYTES;
        } else {
            volume.stripes = Integer.parseInt(command.options.getOrDefault("--stripes", "1"));
            allocate(command, group, volume, Long.parseLong(command.option("--extents")), true);
        }
        volume.tags.addAll(List.of(command.option("--addtag").split(" ")));
        volume.isActive = command.option("--activate").equals("y");
        group.volumes.put(name, volume);
        return "";
    }

    private void allocate(Command command, FakeGroup group, FakeVolume volume, long extents, boolean withNotes)
            throws LvmFault {
        List<String> operands = command.operands.subList(1, command.operands.size());
        Map<Drive, BitSet> allowed = new LinkedHashMap<>();
        for (String operand : operands) {
            String device = operand.contains(":") ? operand.substring(0, operand.indexOf(':')) : operand;
            Drive drive = command.drive(device);
            if (drive.group != group) {
                throw new LvmFault("Physical Volume \"" + device + "\" not found in Volume Group.");
            }
            BitSet room = allowed.computeIfAbsent(drive, each -> new BitSet());
            if (operand.contains(":")) {
                String[] ends = operand.substring(operand.indexOf(':') + 1).split("-");
                room.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]) + 1);
            } else {
                room.set(0, drive.extentCount);
            }
            room.andNot(drive.allocated);
        }
        if (operands.isEmpty()) {
            drivesOf(group).forEach(drive -> {
                BitSet room = new BitSet();
                room.set(0, drive.extentCount);
                room.andNot(drive.allocated);
                allowed.put(drive, room);
            });
        }
        if (volume.kind.equals("linear") || volume.kind.equals("thin-pool")) {
            if (volume.images.isEmpty()) {
                volume.images.add(new ArrayList<>());
            }
            long left = extents;
            for (Map.Entry<Drive, BitSet> each : allowed.entrySet()) {
                int count = (int) Math.min(left, each.getValue().cardinality());
                volume.images.getFirst().addAll(take(each.getKey(), each.getValue(), count));
                left -= count;
            }
            requireRoom(left == 0);
        } else {
            int images = volume.stripes * 2;
            int perImage = (int) (extents / volume.stripes);
            requireRoom(allowed.size() >= images && extents % volume.stripes == 0);
            int index = 0;
            for (Map.Entry<Drive, BitSet> each : List.copyOf(allowed.entrySet()).subList(0, images)) {
                requireRoom(each.getValue().cardinality() >= perImage + (withNotes ? 1 : 0));
                if (volume.images.size() <= index) {
                    volume.images.add(new ArrayList<>());
                }
                volume.images.get(index++).addAll(take(each.getKey(), each.getValue(), perImage));
                if (withNotes) {
                    volume.notes.addAll(take(each.getKey(), each.getValue(), 1));
                }
            }
        }
        volume.extents += extents;
    }

    private static void requireRoom(boolean hasRoom) throws LvmFault {
        if (!hasRoom) {
            throw new LvmFault("Insufficient free space.");
        }
    }

    private static List<Piece> take(List<Drive> from, int count) {
        BitSet room = new BitSet();
        room.set(0, from.getFirst().extentCount);
        room.andNot(from.getFirst().allocated);
        return take(from.getFirst(), room, count);
    }

    private static List<Piece> take(Drive drive, BitSet room, int count) {
        List<Piece> pieces = new ArrayList<>();
        for (int taken = 0; taken < count; taken++) {
            int extent = room.nextSetBit(0);
            room.clear(extent);
            drive.allocated.set(extent);
            Piece last = pieces.isEmpty() ? null : pieces.getLast();
            if (last != null && last.from + last.count == extent) {
                pieces.set(pieces.size() - 1, new Piece(drive, last.from, last.count + 1));
            } else {
                pieces.add(new Piece(drive, extent, 1));
            }
        }
        return pieces;
    }

    private String lvchange(Command command) throws LvmFault {
        String path = command.operands.getFirst();
        FakeGroup group = command.group(groupOf(path));
        FakeVolume volume = command.volume(group, path);
        if (command.options.containsKey("--addtag")) {
            command.wholeGroup(group.name);
            volume.tags.add(command.option("--addtag"));
        }
        if (command.flags.contains("--refresh")) {
            volume.health = "";
        }
        if (command.options.containsKey("--activate")) {
            boolean shallBeActive = command.option("--activate").equals("y");
            if (!shallBeActive && volume.isOpen) {
                throw new LvmFault("Logical volume " + path + " in use.");
            }
            boolean isCut = volume.kind.equals("linear")
                    && volume.images.stream().flatMap(List::stream).anyMatch(piece -> piece.drive.isMissing());
            if (shallBeActive && isCut) {
                throw new LvmFault("Refusing activation of partial LV " + path + ".");
            }
            volume.isActive = shallBeActive;
        }
        return "";
    }

    private String lvextend(Command command) throws LvmFault {
        String path = command.operands.getFirst();
        FakeGroup group = command.wholeGroup(groupOf(path));
        FakeVolume volume = command.volume(group, path);
        if (command.options.containsKey("--size")) {
            long extents = bytes(command.option("--size")) / EXTENT_BYTES;
            if (!volume.kind.equals("thin") || extents <= volume.extents) {
                throw new LvmFault("New size matches existing size.");
            }
            volume.extents = extents;
        } else {
            allocate(
                    command,
                    group,
                    volume,
                    Long.parseLong(command.option("--extents").substring(1)),
                    false);
        }
        return "";
    }

    private String lvconvert(Command command) throws LvmFault {
        String path = command.operands.getFirst();
        FakeGroup group = command.wholeGroup(groupOf(path));
        FakeVolume data = command.volume(group, path);
        FakeVolume metadata = command.volume(group, command.option("--poolmetadata"));
        if (!command.flags.contains("--yes")) {
            throw new LvmFault("Do you really want to convert? [y/n]: [n].");
        }
        group.volumes.remove(metadata.name);
        data.metadata = metadata;
        data.kind = "thin-pool";
        return "";
    }

    private String lvremove(Command command) throws LvmFault {
        String path = command.operands.getFirst();
        FakeGroup group = command.wholeGroup(groupOf(path));
        FakeVolume volume = command.volume(group, path);
        boolean holdsThin = volume.kind.equals("thin-pool")
                && group.volumes.values().stream().anyMatch(each -> each.kind.equals("thin"));
        if (volume.isActive || holdsThin) {
            throw new LvmFault("Do you really want to remove logical volume " + path + "? [y/n]: [n].");
        }
        pieces(volume).forEach(piece -> {
            piece.drive.allocated.clear(piece.from, piece.from + piece.count);
            // Whatever its owner wrote is still there.
            piece.drive.dirty.set(piece.from, piece.from + piece.count);
        });
        group.volumes.remove(volume.name);
        return "";
    }

    private static Stream<Piece> pieces(FakeVolume volume) {
        return Stream.concat(
                Stream.concat(volume.images.stream().flatMap(List::stream), volume.notes.stream()),
                volume.metadata == null ? Stream.empty() : pieces(volume.metadata));
    }

    private static long bytes(String text) {
        return Long.parseLong(text.substring(0, text.length() - 1));
    }

    private List<Drive> drivesOf(FakeGroup group) {
        return drives.values().stream().filter(drive -> drive.group == group).toList();
    }

    private String nextUuid() {
        return UUID_FORM.formatted(++lastUuid);
    }

    private static String node(FakeGroup group, FakeVolume volume) {
        return "/dev/mapper/" + group.name.replace("-", "--") + "-" + volume.name.replace("-", "--");
    }

    private String report(Command command) throws LvmFault {
        List<Object> reports = new ArrayList<>();
        for (FakeGroup group : groups) {
            if (drivesOf(group).stream().anyMatch(command::sees)) {
                reports.add(report(command, group));
            }
        }
        List<Object> orphans = drives.values().stream()
                .filter(drive -> command.sees(drive) && !drive.uuid.isEmpty() && drive.group == null)
                .<Object>map(drive -> row(command, drive))
                .toList();
        if (!orphans.isEmpty()) {
            reports.add(Map.of("pv", orphans, "pvseg", List.of()));
        }
        try {
            return MAPPER.writeValueAsString(Map.of("report", reports));
        } catch (IOException e) {
            throw new LvmFault("The fake cannot report.", e);
        }
    }

    private Map<String, Object> report(Command command, FakeGroup group) {
        List<Drive> members = drivesOf(group);
        long missing = members.stream()
                .filter(drive -> drive.isMissing() || !command.sees(drive))
                .count();
        List<Object> volumes = new ArrayList<>();
        List<Object> segments = new ArrayList<>();
        for (FakeVolume volume : group.volumes.values()) {
            addRows(group, volume, volumes, segments);
        }
        return Map.of(
                "vg",
                List.of(Map.of(
                        "vg_uuid", group.uuid,
                        "vg_name", group.name,
                        "vg_tags", String.join(",", group.tags),
                        "vg_extent_size", Long.toString(EXTENT_BYTES),
                        "vg_size",
                                Long.toString(members.stream()
                                        .mapToLong(drive -> drive.extentCount * EXTENT_BYTES)
                                        .sum()),
                        "vg_missing_pv_count", Long.toString(missing))),
                "pv",
                members.stream().map(drive -> row(command, drive)).toList(),
                "lv",
                volumes,
                "pvseg",
                List.of(),
                "seg",
                segments);
    }

    private static Map<String, Object> row(Command command, Drive drive) {
        boolean isSeen = command.sees(drive);
        return Map.of(
                "pv_uuid", drive.uuid,
                "pv_name", isSeen ? drive.device : "[unknown]",
                "pv_missing", drive.isMissing() || !isSeen ? "missing" : "",
                "pv_pe_count", drive.group == null ? "0" : Integer.toString(drive.extentCount),
                "pv_pe_alloc_count", Integer.toString(drive.allocated.cardinality()));
    }

    private void addRows(FakeGroup group, FakeVolume volume, List<Object> volumes, List<Object> segments) {
        boolean isRaid = volume.kind.startsWith("raid");
        volumes.add(
                row(group, volume.uuid, volume, volume.name, volume.kind.equals("thin-pool") ? "private" : "public"));
        String ranges = isRaid
                ? volume.name + "_rimage_0:0-1"
                : ranges(volume.images.stream().flatMap(List::stream));
        segments.add(segment(volume.uuid, volume.name, volume.kind, ranges));
        if (isRaid) {
            for (int index = 0; index < volume.images.size(); index++) {
                String hidden = volume.uuid.replace("-0000-000000", "-0000-10000" + index);
                String name = "[" + volume.name + "_rimage_" + index + "]";
                volumes.add(row(group, hidden, volume, name, "private,raid,image"));
                segments.add(segment(hidden, name, "linear", ranges(volume.images.get(index).stream())));
            }
        }
    }

    private static String ranges(Stream<Piece> pieces) {
        return pieces.map(piece -> piece.drive.device + ":" + piece.from + "-" + (piece.from + piece.count - 1))
                .collect(Collectors.joining(" "));
    }

    private static Map<String, Object> segment(String uuid, String name, String kind, String ranges) {
        return Map.of("lv_uuid", uuid, "lv_name", name, "segtype", kind, "seg_pe_ranges", ranges);
    }

    private static Map<String, Object> row(FakeGroup group, String uuid, FakeVolume volume, String name, String roles) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("lv_uuid", uuid);
        row.put("lv_name", name);
        row.put("lv_tags", String.join(",", volume.tags));
        row.put("lv_size", Long.toString(volume.extents * EXTENT_BYTES));
        row.put("lv_dm_path", node(group, volume));
        row.put("lv_active", volume.isActive ? "active" : "");
        row.put("lv_device_open", volume.isOpen ? "open" : "");
        row.put("lv_health_status", volume.health);
        row.put("lv_role", roles);
        row.put("sync_percent", volume.kind.startsWith("raid") ? "100.00" : "");
        row.put("data_percent", volume.kind.equals("thin-pool") ? "25.00" : "");
        row.put("metadata_percent", volume.kind.equals("thin-pool") ? "10.50" : "");
        return row;
    }

    private record Named(FakeGroup group, FakeVolume volume) {}

    private Named named(Path node) throws IOException {
        return groups.stream()
                .flatMap(group -> group.volumes.values().stream().map(volume -> new Named(group, volume)))
                .filter(each ->
                        each.volume.isActive && node(each.group, each.volume).equals(node.toString()))
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException(node.toString()));
    }

    @Override
    public synchronized String mapperUuid(Path node) throws IOException {
        Named named = named(node);
        return wrongNodes.getOrDefault(
                named.volume.name, "LVM-" + (named.group.uuid + named.volume.uuid).replace("-", ""));
    }

    @Override
    public List<String> users(Path node) {
        return users.getOrDefault(node.toString(), List.of());
    }

    @Override
    public synchronized void zero(Path node, long sizeBytes, LongConsumer progress) throws IOException {
        if (zeroingFails != null) {
            throw zeroingFails;
        }
        FakeVolume volume = named(node).volume;
        if (sizeBytes != volume.extents * EXTENT_BYTES) {
            throw new IOException("not all of the device would be written");
        }
        volume.images.stream()
                .flatMap(List::stream)
                .forEach(piece -> piece.drive.dirty.clear(piece.from, piece.from + piece.count));
        progress.accept(sizeBytes);
    }

    @Override
    public void blank(Path drive) {
        Drive blanked = drives.get(drive.toString());
        blanked.isBlank = true;
        blanked.uuid = "";
        blanked.group = null;
    }

    /** Which drives each image of the volume lies on. */
    List<Set<String>> imageDrives(String volumeName) {
        return volume(volumeName).images.stream()
                .map(image -> image.stream().map(piece -> piece.drive.device).collect(Collectors.toSet()))
                .toList();
    }
}
