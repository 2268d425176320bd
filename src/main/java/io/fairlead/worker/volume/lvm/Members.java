package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool;
import io.fairlead.worker.volume.PoolDrives;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.Machine;
import io.fairlead.worker.volume.lvm.LvmReports.PhysicalVolume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The drives that a pool shall stand on, and where they are now.
 *
 * @param devices by identity, of those that are there
 * @param absences why the others are not, by identity
 */
record Members(DesiredPool pool, Map<String, String> devices, Map<String, String> absences) {

    static Members find(DesiredPool pool, PoolDrives drives) throws VolumeFault {
        Map<String, String> devices = new LinkedHashMap<>();
        Map<String, String> absences = new LinkedHashMap<>();
        for (DesiredPool.Member member : pool.drives()) {
            try {
                String device = drives.find(member.identity()).toString();
                if (devices.containsValue(device)) {
                    throw VolumeFault.broken(
                            "pool.drive_twice", "The pool names the drive at " + device + " twice.", null);
                }
                if (!device.startsWith("/dev/") || device.contains(",")) {
                    throw VolumeFault.broken(
                            "drive.unsuitable", device + " is no drive that LVM can use. Name whole drives.", null);
                }
                devices.put(member.identity(), device);
            } catch (VolumeFault e) {
                if (e.reason().code().equals("pool.drive_twice")
                        || e.reason().code().equals("drive.unsuitable")) {
                    throw e;
                }
                absences.put(member.identity(), e.reason().text());
            }
        }
        return new Members(pool, devices, absences);
    }

    /** The identities of the drives that the group has, missing ones included. */
    Set<String> in(Group group) {
        Set<String> uuids =
                group.physicalVolumes().stream().map(PhysicalVolume::uuid).collect(Collectors.toSet());
        return pool.drives().stream()
                .map(DesiredPool.Member::identity)
                .filter(identity -> uuids.contains(Marks.physicalVolume(pool.id(), identity)))
                .collect(Collectors.toSet());
    }

    /** The drives that the group has yet to get. */
    List<DesiredPool.Member> notIn(Group group) {
        Set<String> in = in(group);
        return pool.drives().stream()
                .filter(member -> !in.contains(member.identity()))
                .toList();
    }

    /** Whether the drive was prepared for this pool, and is in no group. */
    boolean isPrepared(String identity, Machine machine) {
        return machine.orphans().stream()
                .anyMatch(orphan -> orphan.uuid().equals(Marks.physicalVolume(pool.id(), identity))
                        && orphan.device().equals(devices.get(identity)));
    }

    List<String> deviceList() {
        return List.copyOf(devices.values());
    }

    /** Names what is not there; empty: all drives are there. */
    Optional<String> missing() {
        if (absences.isEmpty()) {
            return Optional.empty();
        }
        List<String> sentences = new ArrayList<>();
        absences.forEach((identity, text) -> sentences.add(text));
        return Optional.of(String.join(" ", sentences));
    }
}
