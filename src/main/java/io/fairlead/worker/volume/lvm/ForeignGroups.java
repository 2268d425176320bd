package io.fairlead.worker.volume.lvm;

import io.fairlead.worker.volume.ForeignPool;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.PhysicalVolume;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Volume groups of this machine that no pool of this head is. They are looked for on all drives, which may take long when one of them
 * hangs: in a thread of its own, and not often. Nothing is ever done to them.
 */
final class ForeignGroups {

    private static final System.Logger LOG = System.getLogger(ForeignGroups.class.getName());
    private static final Duration INTERVAL = Duration.ofSeconds(60);

    private final LvmTool tool;
    private final LongSupplier nanoClock;
    private final Executor thread;
    private final AtomicBoolean isLooking = new AtomicBoolean();
    private volatile List<Group> found = List.of();
    private volatile Optional<Long> lookedAtNanos = Optional.empty();
    private volatile String complaint = "";

    ForeignGroups(LvmTool tool, LongSupplier nanoClock, Executor thread) {
        this.tool = tool;
        this.nanoClock = nanoClock;
        this.thread = thread;
    }

    /** What the last look has found, less the groups of these identifiers. */
    List<ForeignPool> except(Set<String> ours) {
        if (isDue() && isLooking.compareAndSet(false, true)) {
            thread.execute(this::look);
        }
        return found.stream()
                .filter(group -> !ours.contains(group.uuid()))
                .map(ForeignGroups::shown)
                .toList();
    }

    private boolean isDue() {
        return lookedAtNanos
                .map(at -> nanoClock.getAsLong() - at >= INTERVAL.toNanos())
                .orElse(true);
    }

    private void look() {
        try {
            found = LvmReports.read(tool.run(LvmReports.arguments())).groups();
            complaint = "";
        } catch (LvmFault e) {
            if (!Objects.equals(complaint, e.getMessage())) {
                complaint = String.valueOf(e.getMessage());
                LOG.log(System.Logger.Level.WARNING, "event=volume-groups-not-read {0}", complaint);
            }
        } finally {
            lookedAtNanos = Optional.of(nanoClock.getAsLong());
            isLooking.set(false);
        }
    }

    private static ForeignPool shown(Group group) {
        String devices = group.physicalVolumes().stream()
                .map(PhysicalVolume::device)
                .sorted()
                .collect(Collectors.joining(", "));
        String whose = group.tags().stream()
                .filter(tag -> tag.startsWith(Marks.POOL))
                .sorted()
                .findFirst()
                .map(tag -> "It has the mark of the pool " + tag.substring(Marks.POOL.length())
                        + ", which this head was not asked for on these drives.")
                .orElse("Fairlead did not make it.");
        return new ForeignPool(
                "volume_group",
                group.name(),
                "A volume group of LVM on " + devices + ". " + whose
                        + " It is left alone, and its drives are not taken.");
    }
}
