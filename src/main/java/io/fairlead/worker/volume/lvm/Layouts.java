package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.PhysicalVolume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where volumes go. Each copy of data lies as a whole on one drive, and drives are named to LVM one by one: left to itself LVM may
 * spread a copy over drives that hold the other copy too, and then one drive's loss is the loss of both.
 */
final class Layouts {

    private static final int COPIES = 2;
    private static final int RAID10_DRIVES_MIN = 4;

    private Layouts() {}

    /** How few drives a pool of the layout can have. */
    static int drivesMin(Layout layout) {
        return switch (layout) {
            case LINEAR -> 1;
            case MIRROR -> COPIES;
            case RAID10 -> RAID10_DRIVES_MIN;
        };
    }

    /**
     * Where a volume is to be made.
     *
     * @param stripes over how many drives each copy lies
     * @param extents of the volume, a multiple of {@code stripes}
     * @param devices of the drives, in the order in which they are taken
     */
    record Place(Layout layout, int stripes, long extents, List<String> devices) {
        Place {
            devices = List.copyOf(devices);
        }

        /** The part of an LVM command that says so. */
        List<String> arguments() {
            List<String> arguments = new ArrayList<>(
                    switch (layout) {
                        case LINEAR -> List.of("--type", "linear");
                        // All of it is written before it is used, so that its copies need not be made alike before.
                        case MIRROR -> List.of("--type", "raid1", "--mirrors", "1", "--nosync");
                        case RAID10 ->
                            List.of(
                                    "--type",
                                    "raid10",
                                    "--mirrors",
                                    "1",
                                    "--stripes",
                                    Integer.toString(stripes),
                                    "--nosync");
                    });
            arguments.addAll(List.of("--extents", Long.toString(extents)));
            return arguments;
        }
    }

    /** The place for a new volume; empty: there is too little room for it in one piece. */
    static Optional<Place> place(Layout layout, Group group, long sizeBytes) {
        return among(layout, roomiest(group), extents(group, sizeBytes));
    }

    /** The place for more of a volume: on the very drives that its copies lie on. */
    static Optional<Place> placeBeside(Layout layout, Group group, List<String> devices, long moreBytes) {
        List<PhysicalVolume> drives = roomiest(group).stream()
                .filter(drive -> layout == Layout.LINEAR || devices.contains(drive.device()))
                .toList();
        return among(layout, drives, extents(group, moreBytes));
    }

    private static long extents(Group group, long bytes) {
        return Math.ceilDiv(bytes, group.extentBytes());
    }

    private static List<PhysicalVolume> roomiest(Group group) {
        return group.physicalVolumes().stream()
                .filter(drive -> !drive.isMissing())
                .sorted(Comparator.comparingLong(PhysicalVolume::freeExtentCount)
                        .reversed()
                        .thenComparing(PhysicalVolume::uuid))
                .toList();
    }

    private static Optional<Place> among(Layout layout, List<PhysicalVolume> drives, long extents) {
        return switch (layout) {
            case LINEAR -> {
                long free = drives.stream()
                        .mapToLong(PhysicalVolume::freeExtentCount)
                        .sum();
                yield free < extents
                        ? Optional.empty()
                        : Optional.of(new Place(
                                layout,
                                1,
                                extents,
                                drives.stream()
                                        .filter(drive -> drive.freeExtentCount() > 0)
                                        .map(PhysicalVolume::device)
                                        .toList()));
            }
            case MIRROR -> copies(layout, drives, 1, extents);
            case RAID10 -> {
                for (int stripes = drives.size() / COPIES; stripes >= RAID10_DRIVES_MIN / COPIES; stripes--) {
                    Optional<Place> place = copies(layout, drives, stripes, extents);
                    if (place.isPresent()) {
                        yield place;
                    }
                }
                yield Optional.empty();
            }
        };
    }

    private static Optional<Place> copies(Layout layout, List<PhysicalVolume> drives, int stripes, long extents) {
        int needed = stripes * COPIES;
        long perDrive = Math.ceilDiv(extents, stripes);
        // One extent of each drive is for LVM's notes on the copy.
        if (drives.size() < needed || drives.get(needed - 1).freeExtentCount() < perDrive + 1) {
            return Optional.empty();
        }
        return Optional.of(new Place(
                layout,
                stripes,
                perDrive * stripes,
                drives.subList(0, needed).stream().map(PhysicalVolume::device).toList()));
    }

    /** What the drives could hold if they were empty. */
    static long capacityBytes(Layout layout, Group group) {
        List<Long> sizes = group.physicalVolumes().stream()
                .map(PhysicalVolume::extentCount)
                .sorted(Comparator.reverseOrder())
                .toList();
        return usableExtents(layout, sizes) * group.extentBytes();
    }

    /** What volumes may still take; nothing while a drive is missing, because LVM makes none then. */
    static long freeBytes(Layout layout, Group group) {
        if (group.missingDriveCount() > 0) {
            return 0;
        }
        List<Long> free =
                roomiest(group).stream().map(PhysicalVolume::freeExtentCount).toList();
        return usableExtents(layout, free) * group.extentBytes();
    }

    /** The largest volume that can be made in one piece. */
    static long largestBytes(Layout layout, Group group) {
        List<Long> free =
                roomiest(group).stream().map(PhysicalVolume::freeExtentCount).toList();
        long extents = layout == Layout.MIRROR
                ? free.size() < COPIES ? 0 : Math.max(0, free.get(COPIES - 1) - 1)
                : usableExtents(layout, free);
        return group.missingDriveCount() > 0 ? 0 : extents * group.extentBytes();
    }

    private static long usableExtents(Layout layout, List<Long> perDrive) {
        long sum = perDrive.stream().mapToLong(Long::longValue).sum();
        return switch (layout) {
            case LINEAR -> sum;
            case MIRROR -> {
                long largest = perDrive.isEmpty() ? 0 : perDrive.getFirst();
                long pairs = Math.min(sum / COPIES, sum - largest);
                // Each pair of drives has one extent each for LVM's notes, for one volume at least.
                yield Math.max(0, pairs - Math.ceilDiv(perDrive.size(), COPIES));
            }
            case RAID10 -> {
                long best = 0;
                for (int stripes = RAID10_DRIVES_MIN / COPIES; stripes * COPIES <= perDrive.size(); stripes++) {
                    best = Math.max(best, stripes * (perDrive.get(stripes * COPIES - 1) - 1));
                }
                yield best;
            }
        };
    }

    /** Volumes of the layout have a multiple of this size. */
    static long allocationBytes(Layout layout, Group group) {
        return layout == Layout.RAID10
                ? group.extentBytes() * (group.physicalVolumes().size() / COPIES)
                : group.extentBytes();
    }
}
