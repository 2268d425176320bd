package io.fairlead.management.export;

import io.fairlead.core.DriveId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.pool.VolumeCreate;
import io.fairlead.management.subsystem.SubsystemCreate;
import java.util.List;

/**
 * A new export, with as much of what it needs as is not there yet.
 *
 * @param name for people; left out: the subsystem's NQN
 * @param subsystem a new subsystem; left out together with {@code subsystemId}: one with everything generated
 * @param subsystemId an existing subsystem
 * @param volume a new volume as the namespace
 * @param volumeId an existing volume as the namespace
 * @param driveId a whole drive as the namespace
 * @param agreedSignature the signature on the drive whose loss is agreed to
 * @param namespaces several namespaces, in place of the four fields before
 * @param hosts whom to let in; left out: nobody yet
 * @param listeners where to serve, all on one head
 */
public record ExportCreate(
        String name,
        SubsystemCreate subsystem,
        SubsystemId subsystemId,
        VolumeCreate volume,
        VolumeId volumeId,
        DriveId driveId,
        String agreedSignature,
        List<ExportNamespaceCreate> namespaces,
        List<ExportHostCreate> hosts,
        List<ExportListenerCreate> listeners) {

    ExportNamespaceCreate namespace() {
        return new ExportNamespaceCreate(volume, volumeId, driveId, agreedSignature);
    }
}
