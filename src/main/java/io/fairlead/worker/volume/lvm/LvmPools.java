package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.contract.DesiredPool.Provisioning;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.PoolId;
import io.fairlead.worker.volume.ForeignPool;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolDrives;
import io.fairlead.worker.volume.PoolHistory;
import io.fairlead.worker.volume.PoolProvider;
import io.fairlead.worker.volume.PoolStatus;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import io.fairlead.worker.volume.lvm.LvmReports.Machine;
import io.fairlead.worker.volume.lvm.LvmReports.PhysicalVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pools as volume groups. Called from the reconciler's thread alone; zeros are written in a thread of each pool, and groups of others
 * are looked for in one of its own.
 *
 * <p>Order of a making: the drives are checked and nothing is written (the head remembers them meanwhile); each drive is checked again,
 * made blank, and prepared with an identifier that only this pool gives to only this drive; the group is made of them, with its mark in
 * the same command. A stop at any point leaves drives that are blank, or prepared for this pool, or the group.
 */
public final class LvmPools implements PoolProvider {

    private static final String EXTENT_BYTES = String.valueOf(4L << 20);

    private final LvmTool tool;
    private final BlockNodes nodes;
    private final Runnable worthAsking;
    private final ForeignGroups foreign;
    private final Map<PoolId, LvmPool> pools = new HashMap<>();
    private final Map<PoolId, String> groups = new HashMap<>();
    private final Map<PoolId, PoolReport> problems = new LinkedHashMap<>();
    /** Drives that the head was told to remember, so that the next time something may be written to them. */
    private final Map<PoolId, Set<String>> told = new HashMap<>();

    LvmPools(LvmTool tool, BlockNodes nodes, Runnable worthAsking, LongSupplier nanoClock, Executor looking) {
        this.tool = tool;
        this.nodes = nodes;
        this.worthAsking = worthAsking;
        this.foreign = new ForeignGroups(tool, nanoClock, looking);
    }

    /**
     * The pools of this machine.
     *
     * @param worthAsking called from a pool's thread whenever zeros have been written
     */
    public static LvmPools ofThisMachine(Runnable worthAsking, LongSupplier nanoClock) {
        return new LvmPools(
                LvmCommands.ofThisMachine(),
                new LinuxBlockNodes(),
                worthAsking,
                nanoClock,
                look -> Thread.ofPlatform().name("volume-groups").daemon().start(look));
    }

    @Override
    public Optional<Reason> absence() {
        return tool.absence();
    }

    @Override
    public PoolStatus ensure(DesiredPool wanted, PoolHistory history, PoolDrives drives) throws VolumeFault {
        try {
            PoolStatus status = status(wanted, history, drives);
            switch (status) {
                case PoolStatus.Taking taking ->
                    problems.put(
                            wanted.id(),
                            PoolHealth.unusable(wanted, new Reason("pool.making", "The pool is being made.")));
                case PoolStatus.Ready ready -> problems.remove(wanted.id());
            }
            return status;
        } catch (VolumeFault e) {
            problems.put(wanted.id(), PoolHealth.unusable(wanted, e.reason()));
            throw e;
        }
    }

    private PoolStatus status(DesiredPool wanted, PoolHistory history, PoolDrives drives) throws VolumeFault {
        requireLvm();
        requireEnough(wanted);
        Members members = Members.find(wanted, drives);
        LvmOnDrives lvm = new LvmOnDrives(tool, members.deviceList());
        Machine machine = lvm.read();
        Optional<Group> group = ours(wanted, machine);
        if (group.isPresent()) {
            return present(members, drives, lvm, machine, group.get());
        }
        return switch (history) {
            case NEW -> {
                requireAll(members);
                for (DesiredPool.Member member : wanted.drives()) {
                    requireOursOrUnused(member, members, machine, drives);
                }
                yield new PoolStatus.Taking(Set.copyOf(members.devices().keySet()));
            }
            case DRIVES_TAKEN -> make(members, drives, lvm, machine);
            case MADE_BEFORE -> throw lost(members);
        };
    }

    private void requireLvm() throws VolumeFault {
        Optional<Reason> absence = tool.absence();
        if (absence.isPresent()) {
            throw VolumeFault.notYet(absence.get().code(), absence.get().text(), null);
        }
    }

    private static void requireEnough(DesiredPool wanted) throws VolumeFault {
        int drivesMin = Layouts.drivesMin(wanted.layout());
        if (wanted.drives().size() < drivesMin) {
            throw VolumeFault.broken(
                    "pool.too_few_drives",
                    "The pool has " + wanted.drives().size() + " drives, and its layout needs " + drivesMin
                            + ". Name more.",
                    null);
        }
    }

    private static void requireAll(Members members) throws VolumeFault {
        Optional<String> missing = members.missing();
        if (missing.isPresent()) {
            throw VolumeFault.notYet("pool.drive_missing", "The pool cannot be made yet. " + missing.get(), null);
        }
    }

    /** The one group that has the pool's mark. */
    private static Optional<Group> ours(DesiredPool pool, Machine machine) throws VolumeFault {
        String mark = Marks.of(pool.id());
        List<Group> marked = machine.groups().stream()
                .filter(group -> group.tags().contains(mark))
                .toList();
        if (marked.size() > 1) {
            throw VolumeFault.broken(
                    "pool.ambiguous_group",
                    "Several volume groups have the tag " + mark + ": "
                            + marked.stream()
                                    .map(group -> group.name() + " (" + group.uuid() + ")")
                                    .collect(Collectors.joining(", "))
                            + ". Which one is the pool cannot be told; take the tag off the others with vgchange --deltag.",
                    null);
        }
        return marked.stream().findFirst();
    }

    private static VolumeFault lost(Members members) {
        return VolumeFault.notYet(
                "pool.absent",
                "The pool was made here before and its volume group is not on its drives now. "
                        + members.missing()
                                .orElse("All drives are there, so something else has removed it or written over it.")
                        + " No empty pool is put in its place.",
                null);
    }

    /** The drive is taken for this very pool already, or may be taken. */
    private static void requireOursOrUnused(
            DesiredPool.Member member, Members members, Machine machine, PoolDrives drives) throws VolumeFault {
        if (!members.isPrepared(member.identity(), machine)) {
            drives.findUnused(member.identity(), member.agreedSignature());
        }
    }

    private PoolStatus make(Members members, PoolDrives drives, LvmOnDrives lvm, Machine machine) throws VolumeFault {
        DesiredPool wanted = members.pool();
        requireAll(members);
        for (DesiredPool.Member member : wanted.drives()) {
            requireOursOrUnused(member, members, machine, drives);
        }
        for (DesiredPool.Member member : wanted.drives()) {
            prepare(member, members, machine, lvm);
        }
        lvm.run(LvmPool.command(
                List.of("vgcreate", "--addtag", Marks.of(wanted.id()), "--setautoactivation", "n"),
                List.of("--physicalextentsize", EXTENT_BYTES + "b", Marks.groupName(wanted.id())),
                members.deviceList()));
        Machine after = lvm.read();
        Group made = ours(wanted, after)
                .orElseThrow(() -> VolumeFault.broken(
                        "pool.not_made", "LVM made the pool's volume group and does not show it.", null));
        return present(members, drives, lvm, after, made);
    }

    /** Makes the drive blank and LVM's. One that is prepared for this pool holds nothing yet. */
    private void prepare(DesiredPool.Member member, Members members, Machine machine, LvmOnDrives lvm)
            throws VolumeFault {
        if (members.isPrepared(member.identity(), machine)) {
            return;
        }
        String device = members.devices().get(member.identity());
        try {
            List<String> users = nodes.users(Path.of(device));
            if (!users.isEmpty()) {
                throw VolumeFault.broken(
                        "drive.in_use",
                        "The drive " + member.identity() + " is in use by " + String.join(", ", users) + ".",
                        null);
            }
            nodes.blank(Path.of(device));
        } catch (IOException e) {
            throw VolumeFault.notYet(
                    "drive.not_blanked",
                    "The drive " + member.identity() + " could not be made blank: " + Zeroings.told(e) + ".",
                    e);
        }
        lvm.run(
                "pvcreate",
                "--uuid",
                Marks.physicalVolume(members.pool().id(), member.identity()),
                "--norestorefile",
                device);
    }

    private PoolStatus present(Members members, PoolDrives drives, LvmOnDrives lvm, Machine machine, Group found)
            throws VolumeFault {
        DesiredPool wanted = members.pool();
        List<Reason> trouble = new ArrayList<>();
        Group group = found;
        try {
            group = withReturned(members, lvm, group);
            group = extended(members, drives, lvm, machine, group, trouble);
            if (wanted.provisioning() == Provisioning.THIN) {
                group = ThinPool.ensure(wanted, lvm, group);
            }
        } catch (VolumeFault e) {
            // What is there can be used as it is.
            trouble.add(e.reason());
            group = lvm.readAgain(group);
        }
        trouble.addAll(0, PoolHealth.alarms(wanted, group));
        Group now = group;
        groups.put(wanted.id(), now.uuid());
        pools.computeIfAbsent(wanted.id(), id -> new LvmPool(wanted, lvm, now, nodes, worthAsking))
                .onRead(wanted, lvm, now);
        Set<String> identities = new HashSet<>(members.in(now));
        identities.addAll(told.getOrDefault(wanted.id(), Set.of()));
        return new PoolStatus.Ready(
                identities, Map.of("volumeGroup", now.name(), "volumeGroupUuid", now.uuid()), trouble);
    }

    /** A drive that was away and is back is let in again, and what it has missed is written to it. */
    private static Group withReturned(Members members, LvmOnDrives lvm, Group group) throws VolumeFault {
        Group now = group;
        for (PhysicalVolume drive : group.physicalVolumes()) {
            if (drive.isMissing() && members.deviceList().contains(drive.device())) {
                lvm.run("vgextend", "--restoremissing", now.name(), drive.device());
                now = lvm.readAgain(now);
            }
        }
        for (LogicalVolume volume : now.logicalVolumes()) {
            if (volume.isWhole() && volume.health().equals("refresh needed") && now.missingDriveCount() == 0) {
                lvm.run("lvchange", "--refresh", now.name() + "/" + volume.name());
                now = lvm.readAgain(now);
            }
        }
        return now;
    }

    private Group extended(
            Members members, PoolDrives drives, LvmOnDrives lvm, Machine machine, Group group, List<Reason> trouble)
            throws VolumeFault {
        DesiredPool wanted = members.pool();
        Group now = group;
        for (DesiredPool.Member member : members.notIn(group)) {
            String device = members.devices().get(member.identity());
            if (device == null) {
                trouble.add(new Reason("pool.drive_missing", members.absences().get(member.identity())));
                continue;
            }
            if (wanted.provisioning() == Provisioning.THIN && wanted.layout() != Layout.LINEAR) {
                trouble.add(new Reason(
                        "pool.not_extensible",
                        "A thin pool with copies takes no more drives, because its copies would share them. Make another"
                                + " pool of the drive " + member.identity() + "."));
                continue;
            }
            requireOursOrUnused(member, members, machine, drives);
            if (told.computeIfAbsent(wanted.id(), id -> new HashSet<>()).add(member.identity())) {
                trouble.add(new Reason("pool.extending", "The drive " + member.identity() + " is being taken in."));
                continue;
            }
            prepare(member, members, machine, lvm);
            lvm.run("vgextend", now.name(), device);
            now = lvm.readAgain(now);
        }
        return now;
    }

    @Override
    public void remove(DesiredPool unwanted, PoolHistory history, PoolDrives drives) throws VolumeFault {
        if (history == PoolHistory.NEW && absence().isPresent()) {
            // Without LVM nothing was ever made.
            return;
        }
        requireLvm();
        Members members = Members.find(unwanted, drives);
        LvmOnDrives lvm = new LvmOnDrives(tool, members.deviceList());
        Machine machine = lvm.read();
        Optional<Group> group = ours(unwanted, machine);
        Optional<String> missing = members.missing();
        if (missing.isPresent() && (group.isPresent() || history != PoolHistory.NEW)) {
            throw VolumeFault.notYet(
                    "pool.drive_missing",
                    "The pool goes when all of its drives are there, so that none comes back with a part of it. "
                            + missing.get(),
                    null);
        }
        if (group.isPresent()) {
            removeGroup(unwanted, lvm, group.get());
        }
        giveBack(members, lvm);
        Optional.ofNullable(pools.remove(unwanted.id())).ifPresent(LvmPool::close);
        groups.remove(unwanted.id());
        problems.remove(unwanted.id());
        told.remove(unwanted.id());
    }

    private static void removeGroup(DesiredPool unwanted, LvmOnDrives lvm, Group group) throws VolumeFault {
        List<String> volumes = group.logicalVolumes().stream()
                .filter(LogicalVolume::isWhole)
                .filter(volume -> !volume.tags().contains(Marks.ofThinData(unwanted.id()))
                        && !volume.tags().contains(Marks.ofThinMetadata(unwanted.id())))
                .map(LogicalVolume::name)
                .sorted()
                .toList();
        if (!volumes.isEmpty()) {
            throw VolumeFault.notYet(
                    "pool.holds_volumes",
                    "The volume group " + group.name() + " still holds " + String.join(", ", volumes)
                            + ". Remove what is not Fairlead's by hand; the pool goes then.",
                    null);
        }
        Group empty = ThinPool.remove(unwanted, lvm, group);
        if (!empty.logicalVolumes().isEmpty()) {
            throw VolumeFault.notYet(
                    "pool.holds_volumes",
                    "The volume group " + empty.name() + " still holds "
                            + empty.logicalVolumes().stream()
                                    .map(LogicalVolume::name)
                                    .sorted()
                                    .collect(Collectors.joining(", "))
                            + ".",
                    null);
        }
        lvm.run("vgremove", empty.name());
    }

    /** Takes LVM's own mark off the drives that are prepared for the pool, and reads back that it has gone. */
    private static void giveBack(Members members, LvmOnDrives lvm) throws VolumeFault {
        if (lvm.devices().isEmpty()) {
            return;
        }
        Machine machine = lvm.read();
        if (ours(members.pool(), machine).isPresent()) {
            throw VolumeFault.notYet(
                    "pool.not_removed", "LVM removed the volume group and shows it all the same.", null);
        }
        List<String> prepared = members.devices().keySet().stream()
                .filter(identity -> members.isPrepared(identity, machine))
                .toList();
        for (String identity : prepared) {
            lvm.run("pvremove", members.devices().get(identity));
        }
        if (!prepared.isEmpty()) {
            Machine after = lvm.read();
            if (prepared.stream().anyMatch(identity -> members.isPrepared(identity, after))) {
                throw VolumeFault.notYet(
                        "pool.not_removed", "LVM gave the drives back and shows them as its own all the same.", null);
            }
        }
    }

    @Override
    public Optional<Pool> pool(PoolId id) {
        return Optional.ofNullable(pools.get(id));
    }

    @Override
    public List<PoolReport> reports() {
        return Stream.concat(
                        pools.entrySet().stream()
                                .filter(entry -> !problems.containsKey(entry.getKey()))
                                .map(entry -> entry.getValue().report()),
                        problems.values().stream())
                .toList();
    }

    @Override
    public List<ForeignPool> foreign() {
        return absence().isPresent() ? List.of() : foreign.except(Set.copyOf(groups.values()));
    }

    @Override
    public void close() {
        pools.values().forEach(LvmPool::close);
    }
}
