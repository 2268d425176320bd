package io.fairlead.worker.volume.lvm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What LVM's {@code fullreport} says, strictly: a field that is missing or cannot be read is a fault and never a default, because what
 * is decided by these reports may destroy data.
 */
final class LvmReports {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The fields that are asked for, by the kind of row. */
    static final Map<String, List<String>> FIELDS = new TreeMap<>(Map.of(
            "vg",
            List.of("vg_uuid", "vg_name", "vg_tags", "vg_extent_size", "vg_size", "vg_missing_pv_count"),
            "pv",
            List.of("pv_uuid", "pv_name", "pv_missing", "pv_pe_count", "pv_pe_alloc_count"),
            "lv",
            List.of(
                    "lv_uuid",
                    "lv_name",
                    "lv_tags",
                    "lv_size",
                    "lv_dm_path",
                    "lv_active",
                    "lv_device_open",
                    "lv_health_status",
                    "lv_role",
                    "sync_percent",
                    "data_percent",
                    "metadata_percent"),
            "pvseg",
            List.of("pvseg_start"),
            "seg",
            List.of("lv_uuid", "lv_name", "segtype", "seg_pe_ranges")));

    private LvmReports() {}

    /** A volume group with what is in it. */
    record Group(
            String uuid,
            String name,
            Set<String> tags,
            long extentBytes,
            long sizeBytes,
            int missingDriveCount,
            List<PhysicalVolume> physicalVolumes,
            List<LogicalVolume> logicalVolumes,
            List<Segment> segments) {
        Group {
            tags = Set.copyOf(tags);
            physicalVolumes = List.copyOf(physicalVolumes);
            logicalVolumes = List.copyOf(logicalVolumes);
            segments = List.copyOf(segments);
        }
    }

    /**
     * A drive of a group, or one that is prepared for LVM and in no group.
     *
     * @param device where it is; of a missing one whatever LVM makes up
     */
    record PhysicalVolume(String uuid, String device, boolean isMissing, long extentCount, long allocatedExtentCount) {
        long freeExtentCount() {
            return extentCount - allocatedExtentCount;
        }
    }

    /**
     * A logical volume.
     *
     * @param name hidden ones without their brackets
     * @param roles {@code public}, or what it is for another one
     * @param health empty: well
     * @param kind how its first segment is made: {@code linear}, {@code raid1}, {@code thin-pool}, …
     * @param syncPercent how far its copies are alike
     * @param dataPercent of a thin pool: how full it is
     */
    record LogicalVolume(
            String uuid,
            String name,
            Set<String> tags,
            long sizeBytes,
            String device,
            boolean isActive,
            boolean isOpen,
            String health,
            Set<String> roles,
            String kind,
            OptionalDouble syncPercent,
            OptionalDouble dataPercent,
            OptionalDouble metadataPercent) {
        LogicalVolume {
            tags = Set.copyOf(tags);
            roles = Set.copyOf(roles);
        }

        /** Whether it is a volume or a pool, and no part of one: parts have the tags of their whole. */
        boolean isWhole() {
            return roles.contains("public") || kind.equals("thin-pool");
        }
    }

    /** Where a part of a logical volume lies: {@code /dev/nvme0n1:0-15}, or parts of hidden volumes. */
    record Segment(String volumeUuid, String volumeName, String kind, List<String> ranges) {
        Segment {
            ranges = List.copyOf(ranges);
        }
    }

    /** All that a command saw. */
    record Machine(List<Group> groups, List<PhysicalVolume> orphans) {
        Machine {
            groups = List.copyOf(groups);
            orphans = List.copyOf(orphans);
        }
    }

    /** Reads a report of the {@link #FIELDS}. */
    static Machine read(String json) throws LvmFault {
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new LvmFault("LVM's report is not JSON.", e);
        }
        List<Group> groups = new ArrayList<>();
        List<PhysicalVolume> orphans = new ArrayList<>();
        for (JsonNode report : array(root, "report")) {
            if (report.isObject() && report.isEmpty()) {
                // LVM saw nothing at all.
                continue;
            }
            List<PhysicalVolume> drives = physicalVolumes(report);
            List<JsonNode> group = report.has("vg") ? rows(report, "vg", row -> row) : List.of();
            if (group.isEmpty()) {
                // What is left over is told without a group.
                orphans.addAll(drives);
            } else if (group.size() == 1) {
                groups.add(group(group.getFirst(), drives, report));
            } else {
                throw new LvmFault("LVM reported several volume groups as one.");
            }
        }
        return new Machine(groups, orphans);
    }

    private static Group group(JsonNode row, List<PhysicalVolume> drives, JsonNode report) throws LvmFault {
        List<Segment> segments = rows(report, "seg", LvmReports::segment);
        return new Group(
                identifier(row, "vg_uuid"),
                identifier(row, "vg_name"),
                words(row, "vg_tags"),
                positive(row, "vg_extent_size"),
                number(row, "vg_size"),
                Math.toIntExact(number(row, "vg_missing_pv_count")),
                drives,
                rows(report, "lv", volume -> logicalVolume(volume, segments)),
                segments);
    }

    private static List<PhysicalVolume> physicalVolumes(JsonNode report) throws LvmFault {
        List<PhysicalVolume> drives = new ArrayList<>();
        for (JsonNode row : rows(report, "pv", each -> each)) {
            // A device that was never prepared for LVM is told without an identifier.
            if (!text(row, "pv_uuid").isEmpty()) {
                drives.add(physicalVolume(row));
            }
        }
        return drives;
    }

    private static PhysicalVolume physicalVolume(JsonNode row) throws LvmFault {
        return new PhysicalVolume(
                identifier(row, "pv_uuid"),
                identifier(row, "pv_name"),
                flag(row, "pv_missing", "missing"),
                number(row, "pv_pe_count"),
                number(row, "pv_pe_alloc_count"));
    }

    private static LogicalVolume logicalVolume(JsonNode row, List<Segment> segments) throws LvmFault {
        String uuid = identifier(row, "lv_uuid");
        String kind = segments.stream()
                .filter(segment -> segment.volumeUuid().equals(uuid))
                .findFirst()
                .orElseThrow(() -> new LvmFault("LVM's report has no segment of volume " + uuid + "."))
                .kind();
        return new LogicalVolume(
                uuid,
                name(row),
                words(row, "lv_tags"),
                number(row, "lv_size"),
                text(row, "lv_dm_path"),
                flag(row, "lv_active", "active"),
                flag(row, "lv_device_open", "open"),
                text(row, "lv_health_status"),
                words(row, "lv_role"),
                kind,
                percent(row, "sync_percent"),
                percent(row, "data_percent"),
                percent(row, "metadata_percent"));
    }

    private static Segment segment(JsonNode row) throws LvmFault {
        String ranges = text(row, "seg_pe_ranges").strip();
        return new Segment(
                identifier(row, "lv_uuid"),
                name(row),
                identifier(row, "segtype"),
                ranges.isEmpty() ? List.of() : List.of(ranges.split("\\s+")));
    }

    /** Hidden volumes are reported in brackets. */
    private static String name(JsonNode row) throws LvmFault {
        String name = identifier(row, "lv_name");
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    private interface RowReader<T> {
        T read(JsonNode row) throws LvmFault;
    }

    private static <T> List<T> rows(JsonNode report, String kind, RowReader<T> reader) throws LvmFault {
        List<T> rows = new ArrayList<>();
        for (JsonNode row : array(report, kind)) {
            rows.add(reader.read(row));
        }
        return rows;
    }

    private static List<JsonNode> array(JsonNode parent, String name) throws LvmFault {
        JsonNode array = parent == null ? null : parent.get(name);
        if (array == null || !array.isArray()) {
            throw new LvmFault("LVM's report has no list '" + name + "'.");
        }
        List<JsonNode> elements = new ArrayList<>();
        for (Iterator<JsonNode> each = array.elements(); each.hasNext(); ) {
            elements.add(each.next());
        }
        return elements;
    }

    private static String text(JsonNode row, String field) throws LvmFault {
        JsonNode value = row.get(field);
        if (value == null || !value.isTextual()) {
            throw new LvmFault("LVM's report lacks the field '" + field + "'.");
        }
        return value.textValue();
    }

    private static String identifier(JsonNode row, String field) throws LvmFault {
        String value = text(row, field);
        if (value.isEmpty()) {
            throw new LvmFault("LVM's report has an empty field '" + field + "'.");
        }
        return value;
    }

    private static Set<String> words(JsonNode row, String field) throws LvmFault {
        return Arrays.stream(text(row, field).split(","))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    /** A field that has one word or is empty. */
    private static boolean flag(JsonNode row, String field, String word) throws LvmFault {
        String value = text(row, field);
        if (!value.isEmpty() && !value.equals(word)) {
            throw unreadable(field, value);
        }
        return value.equals(word);
    }

    private static long number(JsonNode row, String field) throws LvmFault {
        String value = text(row, field);
        if (!value.matches("[0-9]{1,18}")) {
            throw unreadable(field, value);
        }
        return Long.parseLong(value);
    }

    private static long positive(JsonNode row, String field) throws LvmFault {
        long value = number(row, field);
        if (value == 0) {
            throw unreadable(field, "0");
        }
        return value;
    }

    private static OptionalDouble percent(JsonNode row, String field) throws LvmFault {
        String value = text(row, field);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (!value.matches("[0-9]{1,3}(\\.[0-9]+)?")) {
            throw unreadable(field, value);
        }
        return OptionalDouble.of(Double.parseDouble(value));
    }

    private static LvmFault unreadable(String field, String value) {
        return new LvmFault("LVM's report has '" + value + "' in the field '" + field + "', which cannot be.");
    }

    /** The arguments of the command whose report this reads. */
    static List<String> arguments() {
        List<String> arguments =
                new ArrayList<>(List.of("fullreport", "--all", "--reportformat", "json", "--units", "b", "--nosuffix"));
        FIELDS.forEach((kind, fields) ->
                arguments.addAll(List.of("--configreport", kind, "--options", String.join(",", fields))));
        return arguments;
    }
}
