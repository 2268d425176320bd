package io.fairlead.worker.volume.lvm;

import io.fairlead.worker.volume.PoolDrives;
import io.fairlead.worker.volume.VolumeFault;
import java.nio.file.Path;

/** The drives of the fake machine: the identity {@code a} is at {@code /dev/a}. */
record FakeDrives(FakeLvm machine) implements PoolDrives {

    @Override
    public Path find(String identity) throws VolumeFault {
        FakeLvm.Drive drive = machine.drives.get("/dev/" + identity);
        if (drive == null || !drive.isPlugged) {
            throw VolumeFault.notYet("drive.absent", "The drive " + identity + " is not there.", null);
        }
        return Path.of(drive.device);
    }

    @Override
    public Path findUnused(String identity, String agreedSignature) throws VolumeFault {
        Path device = find(identity);
        FakeLvm.Drive drive = machine.drives.get(device.toString());
        if (!drive.isBlank || !drive.uuid.isEmpty()) {
            throw VolumeFault.broken("drive.in_use", "The drive " + identity + " holds somebody's data.", null);
        }
        return device;
    }
}
