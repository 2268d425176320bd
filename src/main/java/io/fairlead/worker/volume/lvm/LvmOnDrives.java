package io.fairlead.worker.volume.lvm;

import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.Machine;
import java.util.ArrayList;
import java.util.List;

/** LVM as far as the drives of one pool go: each command sees these devices and no others. */
record LvmOnDrives(LvmTool tool, List<String> devices) {

    LvmOnDrives {
        devices = List.copyOf(devices);
    }

    /** What is on the drives. */
    Machine read() throws VolumeFault {
        if (devices.isEmpty()) {
            // Without a device named to it, LVM would look at all of them.
            return new Machine(List.of(), List.of());
        }
        try {
            return LvmReports.read(tool.run(scoped(LvmReports.arguments())));
        } catch (LvmFault e) {
            throw VolumeFault.notYet("pool.lvm_unreadable", e.getMessage(), e);
        }
    }

    /** The group again, after something was changed in it. */
    Group readAgain(Group group) throws VolumeFault {
        return read().groups().stream()
                .filter(each -> each.uuid().equals(group.uuid()))
                .findFirst()
                .orElseThrow(() -> VolumeFault.notYet(
                        "pool.absent", "The volume group " + group.name() + " has gone from its drives.", null));
    }

    /**
     * Runs one command that changes something.
     *
     * @param arguments the command's name first
     */
    void run(List<String> arguments) throws VolumeFault {
        if (devices.isEmpty()) {
            throw VolumeFault.notYet("pool.drive_missing", "None of the pool's drives is there.", null);
        }
        try {
            tool.run(scoped(arguments));
        } catch (LvmFault e) {
            throw VolumeFault.notYet("pool.lvm_refused", e.getMessage(), e);
        }
    }

    void run(String... arguments) throws VolumeFault {
        run(List.of(arguments));
    }

    private List<String> scoped(List<String> arguments) {
        List<String> scoped = new ArrayList<>();
        scoped.add(arguments.getFirst());
        scoped.addAll(List.of("--devices", String.join(",", devices)));
        scoped.addAll(arguments.subList(1, arguments.size()));
        return scoped;
    }
}
