package io.fairlead.worker.inventory;

import io.fairlead.contract.DriveReport.InUseReason;
import io.fairlead.contract.DriveReport.Rotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads the drives that the kernel shows under {@code /sys/block}, with what udev wrote under {@code /run/udev/data}. Kernel names such
 * as {@code nvme0n1} change from boot to boot, so they are told and never used to find a drive again.
 */
final class BlockDrives {

    /** What stands on other devices or in memory, or is no drive. */
    private static final Pattern NOT_A_DRIVE = Pattern.compile("(loop|ram|zram|dm-|md|sr|fd|nbd|ublkb|mtdblock).*");

    private static final int SECTOR = 512;

    private final Tree tree;
    private final Usage usage;

    BlockDrives(Tree tree, Usage usage) {
        this.tree = tree;
        this.usage = usage;
    }

    List<BlockDrive> read() {
        Path block = tree.at("sys/block");
        List<BlockDrive> drives = new ArrayList<>();
        for (String name : tree.names(block)) {
            Path attributes = block.resolve(name);
            boolean isHidden = tree.number(attributes.resolve("hidden")) != 0;
            if (!NOT_A_DRIVE.matcher(name).matches() && !isHidden && tree.number(attributes.resolve("size")) > 0) {
                drives.add(read(name, attributes));
            }
        }
        return withAmbiguityMarked(drives);
    }

    private BlockDrive read(String name, Path attributes) {
        Map<String, String> udev = udev(attributes);
        String model = tree.text(attributes.resolve("device/model")).orElseGet(() -> udev.getOrDefault("ID_MODEL", ""));
        String serial = tree.text(attributes.resolve("device/serial"))
                .or(() -> tree.text(attributes.resolve("serial")))
                .orElseGet(() -> udev.getOrDefault("ID_SERIAL_SHORT", udev.getOrDefault("ID_SERIAL", "")));
        List<InUseReason> reasons = new ArrayList<>();
        Optional<String> identity = identity(attributes, udev, model, serial);
        if (identity.isEmpty()) {
            reasons.add(reason(
                    "unreadable",
                    "The drive has no identity that survives a reboot, so that it cannot be told apart."));
        }
        reasons.addAll(usedByThisMachine(name, attributes));
        return new BlockDrive(
                identity.orElse("unidentified." + name),
                kind(name),
                name,
                tree.at("dev").resolve(name.replace('!', '/')),
                model,
                serial,
                Math.multiplyExact(tree.number(attributes.resolve("size")), SECTOR),
                (int) Math.max(SECTOR, tree.number(attributes.resolve("queue/logical_block_size"))),
                rotation(attributes),
                tree.text(attributes.resolve("device/firmware_rev"))
                        .or(() -> tree.text(attributes.resolve("device/rev"))),
                reasons);
    }

    /** By what the drive itself says first; its serial number is only unique together with its model. */
    private Optional<String> identity(Path attributes, Map<String, String> udev, String model, String serial) {
        return identifier("nguid.", attributes.resolve("nguid"))
                .or(() -> identifier("eui.", attributes.resolve("eui")))
                .or(() -> identifier("uuid.", attributes.resolve("uuid")))
                .or(() -> wwid(tree.text(attributes.resolve("wwid"))))
                .or(() -> wwid(tree.text(attributes.resolve("device/wwid"))))
                .or(() -> Optional.ofNullable(udev.get("ID_WWN_WITH_EXTENSION"))
                        .map(wwn -> "wwn." + wwn.replaceFirst("^0x", "")))
                .or(() -> serial.isEmpty()
                        ? Optional.empty()
                        : Optional.of("serial." + (model + "_" + serial).replaceAll("\\s+", "_")));
    }

    /** Old drives show all zeros where they have no identifier. */
    private Optional<String> identifier(String prefix, Path file) {
        return tree.text(file)
                .map(text -> text.replaceAll("[\\s-]", "").toLowerCase(Locale.ROOT))
                .filter(text -> !text.chars().allMatch(character -> character == '0'))
                .map(text -> prefix + text);
    }

    private static Optional<String> wwid(Optional<String> wwid) {
        return wwid.map(text -> text.replaceAll("\\s+", "_")).map(text -> {
            if (text.startsWith("eui.") || text.startsWith("uuid.")) {
                return text;
            }
            return "wwn." + text.replaceFirst("^naa\\.", "");
        });
    }

    private Map<String, String> udev(Path attributes) {
        Map<String, String> properties = new HashMap<>();
        String device = tree.text(attributes.resolve("dev")).orElse("");
        for (String line : tree.lines("run/udev/data/b" + device)) {
            int equals = line.indexOf('=');
            if (line.startsWith("E:") && equals > 0) {
                properties.put(line.substring(2, equals), line.substring(equals + 1));
            }
        }
        return properties;
    }

    private static String kind(String name) {
        if (name.startsWith("nvme")) {
            return "nvme";
        }
        if (name.startsWith("sd")) {
            return "scsi";
        }
        return name.startsWith("vd") ? "virtio" : "other";
    }

    private Rotation rotation(Path attributes) {
        return tree.text(attributes.resolve("queue/rotational"))
                .map(text -> text.equals("0") ? Rotation.SOLID_STATE : Rotation.ROTATIONAL)
                .orElse(Rotation.UNKNOWN);
    }

    private List<InUseReason> usedByThisMachine(String name, Path attributes) {
        List<InUseReason> reasons = new ArrayList<>();
        List<String> partitions = partitions(attributes);
        Set<String> numbers = new HashSet<>();
        Set<String> holders = new HashSet<>(tree.names(attributes.resolve("holders")));
        tree.text(attributes.resolve("dev")).ifPresent(numbers::add);
        for (String partition : partitions) {
            tree.text(attributes.resolve(partition).resolve("dev")).ifPresent(numbers::add);
            holders.addAll(tree.names(attributes.resolve(partition).resolve("holders")));
        }
        Set<String> above = new HashSet<>(numbers);
        holders.forEach(holder -> collectAbove(holder, above, new HashSet<>()));
        if (above.stream().anyMatch(usage::isBootDevice)) {
            reasons.add(reason("boot_device", "This machine starts from the drive."));
        }
        Set<String> mountPoints = new TreeSet<>();
        numbers.forEach(number -> mountPoints.addAll(usage.mountPoints().getOrDefault(number, Set.of())));
        if (!mountPoints.isEmpty()) {
            reasons.add(reason(
                    "mounted",
                    "The drive, or a partition of it, is mounted on this machine at " + String.join(", ", mountPoints)
                            + "."));
        }
        if (usage.swapDevices().contains(name) || partitions.stream().anyMatch(usage.swapDevices()::contains)) {
            reasons.add(reason("swap", "This machine swaps to the drive."));
        }
        if (!holders.isEmpty()) {
            reasons.add(reason(
                    "holder",
                    "In use by "
                            + String.join(
                                    ", ",
                                    holders.stream()
                                            .sorted()
                                            .map(this::describe)
                                            .toList()) + "."));
        }
        return reasons;
    }

    /** As its owner knows it; {@code dm-3} says nothing to anybody. */
    private String describe(String holder) {
        Path attributes = tree.at("sys/block").resolve(holder);
        Optional<String> name = tree.text(attributes.resolve("dm/name"));
        if (name.isPresent()) {
            boolean isLvm = tree.text(attributes.resolve("dm/uuid"))
                    .filter(uuid -> uuid.startsWith("LVM-"))
                    .isPresent();
            return (isLvm ? "the LVM volume " : "the device-mapper device ") + name.get() + " (" + holder + ")";
        }
        return Files.isDirectory(attributes.resolve("md")) ? "the md array " + holder : holder;
    }

    List<String> partitions(Path attributes) {
        return tree.names(attributes).stream()
                .filter(name -> Files.exists(attributes.resolve(name).resolve("partition")))
                .toList();
    }

    /** LVM on md on a partition is a chain of holders; the root file system may be at its end. */
    private void collectAbove(String holder, Set<String> numbers, Set<String> seen) {
        if (!seen.add(holder)) {
            return;
        }
        Path attributes = tree.at("sys/block").resolve(holder);
        tree.text(attributes.resolve("dev")).ifPresent(numbers::add);
        tree.names(attributes.resolve("holders")).forEach(next -> collectAbove(next, numbers, seen));
    }

    /** Two devices of one identity are two ways to one drive, or a copy: neither is taken. */
    private static List<BlockDrive> withAmbiguityMarked(List<BlockDrive> drives) {
        Map<String, List<BlockDrive>> byIdentity = new HashMap<>();
        drives.forEach(drive -> byIdentity
                .computeIfAbsent(drive.identity(), identity -> new ArrayList<>())
                .add(drive));
        List<BlockDrive> marked = new ArrayList<>();
        for (BlockDrive drive : drives) {
            List<BlockDrive> same = byIdentity.get(drive.identity());
            if (same.size() == 1) {
                marked.add(drive);
            } else if (same.getFirst() == drive) {
                String names =
                        String.join(", ", same.stream().map(BlockDrive::name).toList());
                marked.add(drive.with(
                        reason("unreadable", names + " have the same identity; which is meant cannot be told.")));
            }
        }
        return marked;
    }

    static InUseReason reason(String code, String text) {
        return new InUseReason(code, text, Optional.empty());
    }
}
