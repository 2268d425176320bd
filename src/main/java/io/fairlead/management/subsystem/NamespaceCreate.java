package io.fairlead.management.subsystem;

import io.fairlead.core.DriveId;
import io.fairlead.core.VolumeId;

/**
 * A new namespace on exactly one of a volume and a whole drive.
 *
 * @param agreedSignature the signature on the drive (for example {@code ext4}) whose loss is agreed to; left out: none
 */
public record NamespaceCreate(VolumeId volumeId, DriveId driveId, String agreedSignature) {}
