package io.fairlead.management.export;

import io.fairlead.core.DriveId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.pool.VolumeCreate;

/**
 * What a namespace of a new export is on: exactly one of the first three.
 *
 * @param volume a new volume
 * @param agreedSignature the signature on the drive (for example {@code ext4}) whose loss is agreed to; left out: none
 */
public record ExportNamespaceCreate(VolumeCreate volume, VolumeId volumeId, DriveId driveId, String agreedSignature) {

    boolean isEmpty() {
        return volume == null && volumeId == null && driveId == null && agreedSignature == null;
    }
}
