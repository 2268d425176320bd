package io.fairlead.worker.volume.lvm;

import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import io.fairlead.worker.volume.lvm.LvmReports.Segment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds things in what was read of a group. */
final class Extents {

    private Extents() {}

    /** The one volume that has the mark. */
    static Optional<LogicalVolume> marked(Group group, String mark) throws VolumeFault {
        List<LogicalVolume> marked = group.logicalVolumes().stream()
                .filter(volume -> volume.isWhole() && volume.tags().contains(mark))
                .toList();
        if (marked.size() > 1) {
            throw VolumeFault.broken(
                    "volume.ambiguous",
                    "Several logical volumes of " + group.name() + " have the tag " + mark + ": "
                            + String.join(
                                    ", ",
                                    marked.stream().map(LogicalVolume::name).toList())
                            + ". Which one is meant cannot be told; take the tag off the others.",
                    null);
        }
        return marked.stream().findFirst();
    }

    /** Where its data lies, as LVM takes it: {@code /dev/nvme0n1:0-15}. LVM's notes on copies are left out. */
    static List<String> ranges(Group group, LogicalVolume volume) {
        return segments(group, volume)
                .flatMap(segment -> segment.ranges().stream())
                .filter(range -> range.startsWith("/"))
                .toList();
    }

    /** The same, in the order in which the drives are named: each copy goes on where it is. */
    static List<String> ranges(Group group, LogicalVolume volume, List<String> devices) {
        return ranges(group, volume).stream()
                .sorted(Comparator.comparingInt(range -> devices.indexOf(deviceOf(range))))
                .toList();
    }

    private static String deviceOf(String range) {
        return range.substring(0, range.lastIndexOf(':'));
    }

    /** The drives that its copies lie on, each once. */
    static List<String> imageDevices(Group group, LogicalVolume volume) {
        return ranges(group, volume).stream().map(Extents::deviceOf).distinct().toList();
    }

    private static Stream<Segment> segments(Group group, LogicalVolume volume) {
        return group.segments().stream()
                .filter(segment -> segment.volumeUuid().equals(volume.uuid())
                        || segment.volumeName().startsWith(volume.name() + "_rimage_"));
    }
}
