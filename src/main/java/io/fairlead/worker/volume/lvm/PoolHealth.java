package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Provisioning;
import io.fairlead.contract.HeadReport.PoolDetails;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is told of a pool, by what was read of its group. */
final class PoolHealth {

    static final String PROVIDER = "lvm";

    private static final int NEARLY_FULL_PERCENT = 80;
    private static final int ALL_PERCENT = 100;

    private PoolHealth() {}

    static PoolReport report(DesiredPool wanted, Group group) {
        Optional<LogicalVolume> thinPool = thinPool(wanted, group);
        long capacityBytes = wanted.provisioning() == Provisioning.THIN
                ? thinPool.map(LogicalVolume::sizeBytes).orElse(0L)
                : Layouts.capacityBytes(wanted.layout(), group);
        long freeBytes = wanted.provisioning() == Provisioning.THIN
                ? thinPool.map(PoolHealth::unwrittenBytes).orElse(0L)
                : Layouts.freeBytes(wanted.layout(), group);
        return new PoolReport(
                wanted.name(),
                PROVIDER,
                group.name(),
                capacityBytes,
                freeBytes,
                Optional.empty(),
                Optional.of(new PoolDetails(
                        wanted.id(),
                        Layouts.allocationBytes(wanted.layout(), group),
                        provisionedBytes(group),
                        thinPool.flatMap(pool -> whole(pool.metadataPercent())),
                        syncPercent(group),
                        alarms(wanted, group))));
    }

    /** Of a pool that cannot be used. */
    static PoolReport unusable(DesiredPool wanted, Reason problem) {
        return new PoolReport(
                wanted.name(),
                PROVIDER,
                Marks.groupName(wanted.id()),
                0,
                0,
                Optional.of(problem),
                Optional.of(new PoolDetails(wanted.id(), 1, 0, Optional.empty(), Optional.empty(), List.of())));
    }

    private static Optional<LogicalVolume> thinPool(DesiredPool wanted, Group group) {
        return group.logicalVolumes().stream()
                .filter(volume ->
                        volume.kind().equals("thin-pool") && volume.tags().contains(Marks.ofThinData(wanted.id())))
                .findFirst();
    }

    private static long unwrittenBytes(LogicalVolume thinPool) {
        double percent = thinPool.dataPercent().orElse(0);
        return (long) (thinPool.sizeBytes() / (double) ALL_PERCENT * (ALL_PERCENT - percent));
    }

    private static long provisionedBytes(Group group) {
        return group.logicalVolumes().stream()
                .filter(volume -> volume.isWhole() && volume.tags().stream().anyMatch(Marks::isOfAVolume))
                .mapToLong(LogicalVolume::sizeBytes)
                .sum();
    }

    /** Of the volume that is least far; empty: all copies are alike. */
    private static Optional<Integer> syncPercent(Group group) {
        return group.logicalVolumes().stream()
                .filter(volume -> volume.kind().startsWith("raid"))
                .flatMap(volume -> whole(volume.syncPercent()).stream())
                .filter(percent -> percent < ALL_PERCENT)
                .min(Integer::compare);
    }

    private static Optional<Integer> whole(OptionalDouble percent) {
        return percent.isPresent() ? Optional.of((int) percent.getAsDouble()) : Optional.empty();
    }

    /** What needs attention while the pool goes on serving. */
    static List<Reason> alarms(DesiredPool wanted, Group group) {
        List<Reason> alarms = new ArrayList<>();
        if (group.missingDriveCount() > 0) {
            alarms.add(new Reason(
                    "pool.drive_missing",
                    group.missingDriveCount() + " of " + group.physicalVolumes().size() + " drives of pool "
                            + wanted.name() + " are missing. " + consequence(wanted)
                            + " Bring the drive back; it is taken in again by itself."));
        }
        List<String> unwell = group.logicalVolumes().stream()
                .filter(volume -> volume.isWhole() && !volume.health().isEmpty())
                .map(volume -> volume.name() + " (" + volume.health() + ")")
                .toList();
        if (!unwell.isEmpty()) {
            alarms.add(
                    new Reason("pool.degraded", "LVM says of " + String.join(", ", unwell) + " that all is not well."));
        }
        thinPool(wanted, group).ifPresent(pool -> {
            full(alarms, "pool.data_nearly_full", "data", pool.dataPercent());
            full(alarms, "pool.metadata_nearly_full", "metadata", pool.metadataPercent());
        });
        return alarms;
    }

    private static String consequence(DesiredPool wanted) {
        return switch (wanted.layout()) {
            case LINEAR -> "What lies on them cannot be read, and no volume is made or grown.";
            case MIRROR, RAID10 -> "Volumes are served from the other copy, and none is made or grown.";
        };
    }

    private static void full(List<Reason> alarms, String code, String what, OptionalDouble percent) {
        if (percent.isPresent() && percent.getAsDouble() >= NEARLY_FULL_PERCENT) {
            alarms.add(new Reason(
                    code,
                    "The thin pool's " + what + " are " + (int) percent.getAsDouble()
                            + " % full; when they are full, writes fail. Add drives or delete volumes."));
        }
    }
}
