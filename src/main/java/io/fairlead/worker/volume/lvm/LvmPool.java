package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.contract.DesiredPool.Provisioning;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import io.fairlead.worker.volume.lvm.Zeroings.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A volume group. It was read at the beginning of the reconciler's pass and is read again after each change that is made to it.
 *
 * <p>A thick volume is made with its mark, written with zeros, and has the mark {@link Marks#ZEROED} added when that has ended; a stop
 * in between has it written with zeros again. When it grows, the new space is first a logical volume of its own, so that no host sees
 * what was there before; once it is written with zeros it is given up and the very same extents become the end of the volume.
 */
final class LvmPool implements Pool {

    private final BlockNodes nodes;
    private final Zeroings zeroings;
    private DesiredPool wanted;
    private LvmOnDrives lvm;
    private Group group;

    LvmPool(DesiredPool wanted, LvmOnDrives lvm, Group group, BlockNodes nodes, Runnable worthAsking) {
        this.wanted = wanted;
        this.lvm = lvm;
        this.group = group;
        this.nodes = nodes;
        this.zeroings = new Zeroings(wanted.name(), nodes, worthAsking);
    }

    /** Takes over what a pass has read. */
    void onRead(DesiredPool wantedNow, LvmOnDrives lvmNow, Group groupNow) {
        this.wanted = wantedNow;
        this.lvm = lvmNow;
        this.group = groupNow;
    }

    @Override
    public String name() {
        return wanted.name();
    }

    @Override
    public PoolReport report() {
        return PoolHealth.report(wanted, group);
    }

    @Override
    public VolumeStatus ensure(DesiredVolume volume, History history) throws VolumeFault {
        Optional<Progress> progress = zeroings.of(volume.id());
        if (progress.isPresent() && progress.get() instanceof Progress.Failed failed) {
            zeroings.forget(volume.id());
            throw failed.fault();
        }
        Optional<LogicalVolume> present = marked(Marks.of(volume.id()));
        if (present.isEmpty()) {
            zeroings.forget(volume.id());
            return create(volume, history);
        }
        LogicalVolume active = activated(present.get());
        requireNode(active);
        boolean isThick = wanted.provisioning() == Provisioning.THICK;
        if (isThick && !active.tags().contains(Marks.ZEROED)) {
            return unfinished(volume, active, history, progress);
        }
        return existing(volume, active, progress);
    }

    private VolumeStatus create(DesiredVolume volume, History history) throws VolumeFault {
        if (history == History.MADE_BEFORE) {
            throw VolumeFault.notYet(
                    "volume.data_absent",
                    "The volume was made here before and is not in the volume group " + group.name()
                            + " now. Bring it back; no empty volume is put in its place.",
                    null);
        }
        List<String> mark = List.of("--addtag", Marks.of(volume.id()));
        switch (wanted.provisioning()) {
            case THIN -> {
                LogicalVolume thinPool = thinPool();
                lvm.run(command(
                        List.of("lvcreate", "--type", "thin", "--thinpool", thinPool.name()),
                        List.of("--virtualsize", roundedUp(volume.sizeBytes()) + "b"),
                        List.of("--name", Marks.volumeName(volume.id())),
                        mark,
                        List.of("--activate", "y", group.name())));
            }
            case THICK -> lvm.run(lvcreate(Marks.volumeName(volume.id()), mark, room(volume.sizeBytes())));
        }
        group = lvm.readAgain(group);
        LogicalVolume made = marked(Marks.of(volume.id()))
                .orElseThrow(() -> VolumeFault.broken(
                        "volume.not_made", "LVM made the volume " + volume.id() + " and does not show it.", null));
        requireNode(made);
        return wanted.provisioning() == Provisioning.THIN ? ready(volume, made) : zeroed(volume, made);
    }

    private List<String> lvcreate(String name, List<String> mark, Layouts.Place place) {
        return command(
                List.of("lvcreate"),
                place.arguments(),
                // What is found in the new space is none of anybody's business, and is written over in a moment.
                List.of("--wipesignatures", "n", "--zero", "n", "--activate", "y"),
                List.of("--name", name),
                mark,
                List.of(group.name()),
                place.devices());
    }

    private Layouts.Place room(long sizeBytes) throws VolumeFault {
        return Layouts.place(wanted.layout(), group, sizeBytes).orElseThrow(() -> noSpace(sizeBytes));
    }

    private VolumeFault noSpace(long sizeBytes) {
        return VolumeFault.notYet(
                "pool.insufficient_capacity",
                "Pool " + wanted.name() + " has room for " + Layouts.largestBytes(wanted.layout(), group)
                        + " bytes in one piece, " + sizeBytes
                        + " are needed. Add drives or free some space; the volume is made then.",
                null);
    }

    private VolumeStatus zeroed(DesiredVolume volume, LogicalVolume made) throws VolumeFault {
        zeroings.start(volume.id(), space(made));
        return new VolumeStatus.Allocating(volume.id(), 0, made.sizeBytes());
    }

    private Zeroings.Space space(LogicalVolume volume) {
        return new Zeroings.Space(Path.of(volume.device()), Marks.mapperUuid(group, volume), volume.sizeBytes());
    }

    /** It is there and was not written with zeros as a whole, as far as its marks go. */
    private VolumeStatus unfinished(
            DesiredVolume volume, LogicalVolume present, History history, Optional<Progress> progress)
            throws VolumeFault {
        if (history == History.MADE_BEFORE) {
            throw VolumeFault.broken(
                    "volume.mark_lost",
                    "The volume holds data and has lost its tag " + Marks.ZEROED
                            + ", without which it would be written with zeros. It is left alone; give it the tag again: lvchange"
                            + " --addtag " + Marks.ZEROED + " " + group.name() + "/" + present.name() + ".",
                    null);
        }
        return switch (progress.orElse(null)) {
            case Progress.Running running ->
                new VolumeStatus.Allocating(
                        volume.id(), running.doneBytes(), running.space().sizeBytes());
            case Progress.Done done
            when done.space().equals(space(present)) -> {
                lvm.run("lvchange", "--addtag", Marks.ZEROED, group.name() + "/" + present.name());
                zeroings.forget(volume.id());
                group = lvm.readAgain(group);
                LogicalVolume whole = require(Marks.of(volume.id()));
                yield existing(volume, whole, Optional.empty());
            }
            case null, default -> zeroed(volume, present);
        };
    }

    private VolumeStatus existing(DesiredVolume volume, LogicalVolume present, Optional<Progress> progress)
            throws VolumeFault {
        if (present.sizeBytes() >= volume.sizeBytes()) {
            requireNotSmaller(volume, present);
            giveUpGrowth(volume.id());
            return ready(volume, present);
        }
        return switch (wanted.provisioning()) {
            case THIN -> {
                lvm.run("lvextend", "--size", roundedUp(volume.sizeBytes()) + "b", group.name() + "/" + present.name());
                yield grown(volume);
            }
            case THICK -> grow(volume, present, progress);
        };
    }

    /** A size between two multiples is rounded up when the volume is made; more than that is another size. */
    private void requireNotSmaller(DesiredVolume volume, LogicalVolume present) throws VolumeFault {
        if (present.sizeBytes() - volume.sizeBytes() >= Layouts.allocationBytes(wanted.layout(), group)) {
            throw VolumeFault.broken(
                    "volume.shrink",
                    "The volume has " + present.sizeBytes() + " bytes and is never made smaller.",
                    null);
        }
    }

    private VolumeStatus grow(DesiredVolume volume, LogicalVolume present, Optional<Progress> progress)
            throws VolumeFault {
        Optional<LogicalVolume> growth = marked(Marks.ofGrowth(volume.id()));
        if (growth.isPresent() && progress.isPresent()) {
            switch (progress.get()) {
                case Progress.Running running -> {
                    return new VolumeStatus.Growing(
                            ready(volume, present),
                            running.doneBytes(),
                            running.space().sizeBytes());
                }
                case Progress.Done done
                when done.space().equals(space(growth.get())) -> {
                    return append(volume, present, growth.get());
                }
                case Progress.Done done -> zeroings.forget(volume.id());
                case Progress.Failed failed -> zeroings.forget(volume.id());
            }
        }
        giveUpGrowth(volume.id());
        long moreBytes = volume.sizeBytes() - present.sizeBytes();
        lvm.run(lvcreate(
                Marks.growthName(volume.id()),
                List.of("--addtag", Marks.ofGrowth(volume.id())),
                roomBeside(present, moreBytes)));
        group = lvm.readAgain(group);
        LogicalVolume space = require(Marks.ofGrowth(volume.id()));
        requireNode(space);
        zeroings.start(volume.id(), space(space));
        return new VolumeStatus.Growing(ready(volume, require(Marks.of(volume.id()))), 0, space.sizeBytes());
    }

    private Layouts.Place roomBeside(LogicalVolume present, long moreBytes) throws VolumeFault {
        List<String> devices = Extents.imageDevices(group, present);
        return Layouts.placeBeside(wanted.layout(), group, devices, moreBytes)
                // Each of its copies has to get as much.
                .filter(place ->
                        wanted.layout() == Layout.LINEAR || place.devices().size() == devices.size())
                .orElseThrow(() -> VolumeFault.notYet(
                        "pool.insufficient_capacity",
                        "The drives that the volume lies on have too little room for " + moreBytes
                                + " bytes more. Free some space; the volume grows then.",
                        null));
    }

    /** The zeros are written: the same extents become the end of the volume. Nobody else takes extents of this group. */
    private VolumeStatus append(DesiredVolume volume, LogicalVolume present, LogicalVolume growth) throws VolumeFault {
        List<String> ranges = Extents.ranges(group, growth, Extents.imageDevices(group, present));
        long extents = growth.sizeBytes() / group.extentBytes();
        zeroings.forget(volume.id());
        removeFromGroup(growth);
        List<String> synced = wanted.layout() == Layout.LINEAR ? List.of() : List.of("--nosync");
        lvm.run(command(
                List.of("lvextend", "--extents", "+" + extents),
                synced,
                List.of(group.name() + "/" + present.name()),
                ranges));
        return grown(volume);
    }

    private VolumeStatus grown(DesiredVolume volume) throws VolumeFault {
        group = lvm.readAgain(group);
        LogicalVolume present = require(Marks.of(volume.id()));
        if (present.sizeBytes() < volume.sizeBytes()) {
            throw VolumeFault.broken(
                    "volume.not_grown",
                    "LVM made the volume larger and it has " + present.sizeBytes() + " bytes all the same.",
                    null);
        }
        return ready(volume, present);
    }

    private void giveUpGrowth(VolumeId volume) throws VolumeFault {
        Optional<LogicalVolume> left = marked(Marks.ofGrowth(volume));
        if (left.isPresent()) {
            zeroings.forget(volume);
            removeFromGroup(left.get());
            group = lvm.readAgain(group);
        }
    }

    private static VolumeStatus.Ready ready(DesiredVolume volume, LogicalVolume present) {
        return new VolumeStatus.Ready(volume.id(), Path.of(present.device()), present.sizeBytes());
    }

    @Override
    public void remove(VolumeId volume) throws VolumeFault {
        if (zeroings.of(volume).orElse(null) instanceof Progress.Running) {
            throw VolumeFault.notYet("volume.allocating", "The volume is still being made; it goes after that.", null);
        }
        zeroings.forget(volume);
        group = lvm.readAgain(group);
        giveUpGrowth(volume);
        Optional<LogicalVolume> present = marked(Marks.of(volume));
        if (present.isEmpty()) {
            return;
        }
        removeFromGroup(present.get());
        group = lvm.readAgain(group);
        if (marked(Marks.of(volume)).isPresent()) {
            throw VolumeFault.notYet("volume.not_removed", "LVM removed the volume and shows it all the same.", null);
        }
    }

    /** Deactivating comes first: the kernel refuses it for a device that is open, and then nothing is lost. */
    private void removeFromGroup(LogicalVolume unwanted) throws VolumeFault {
        if (unwanted.isActive()) {
            requireNode(unwanted);
            if (unwanted.isOpen()) {
                throw VolumeFault.notYet(
                        "volume.in_use",
                        unwanted.device() + " is open" + users(unwanted) + "; the volume goes when it is closed.",
                        null);
            }
            lvm.run("lvchange", "--activate", "n", group.name() + "/" + unwanted.name());
        }
        lvm.run("lvremove", group.name() + "/" + unwanted.name());
    }

    private String users(LogicalVolume volume) throws VolumeFault {
        try {
            List<String> users = nodes.users(Path.of(volume.device()));
            return users.isEmpty() ? "" : " by " + String.join(", ", users);
        } catch (IOException e) {
            throw unreadable(volume, e);
        }
    }

    private LogicalVolume activated(LogicalVolume volume) throws VolumeFault {
        if (volume.isActive()) {
            return volume;
        }
        lvm.run("lvchange", "--activate", "y", group.name() + "/" + volume.name());
        group = lvm.readAgain(group);
        return group.logicalVolumes().stream()
                .filter(each -> each.uuid().equals(volume.uuid()) && each.isActive())
                .findFirst()
                .orElseThrow(() -> VolumeFault.notYet(
                        "volume.not_active", "LVM activated the volume and does not show it as active.", null));
    }

    /** A node's name is only a name: what it leads to is asked of the kernel. */
    private void requireNode(LogicalVolume volume) throws VolumeFault {
        Path node = Path.of(volume.device());
        try {
            String found = nodes.mapperUuid(node);
            if (!found.equals(Marks.mapperUuid(group, volume))) {
                throw Zeroings.otherDevice(node, found);
            }
        } catch (IOException e) {
            throw unreadable(volume, e);
        }
    }

    private static VolumeFault unreadable(LogicalVolume volume, IOException e) {
        return VolumeFault.notYet(
                "volume.unreadable", volume.device() + " cannot be asked about: " + Zeroings.told(e) + ".", e);
    }

    private LogicalVolume thinPool() throws VolumeFault {
        return marked(Marks.ofThinData(wanted.id()))
                .filter(volume -> volume.kind().equals("thin-pool"))
                .orElseThrow(() -> VolumeFault.notYet("pool.making", "The thin pool is still being made.", null));
    }

    private LogicalVolume require(String mark) throws VolumeFault {
        return marked(mark)
                .orElseThrow(() -> VolumeFault.notYet(
                        "volume.unreadable", "LVM does not show what it has just made (" + mark + ").", null));
    }

    private Optional<LogicalVolume> marked(String mark) throws VolumeFault {
        return Extents.marked(group, mark);
    }

    private long roundedUp(long sizeBytes) {
        return Math.ceilDiv(sizeBytes, group.extentBytes()) * group.extentBytes();
    }

    @SafeVarargs
    static List<String> command(List<String>... parts) {
        List<String> command = new ArrayList<>();
        for (List<String> part : parts) {
            command.addAll(part);
        }
        return command;
    }

    @Override
    public void close() {
        zeroings.close();
    }
}
