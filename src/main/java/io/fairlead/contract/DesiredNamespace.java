package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.fairlead.core.DriveId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.VolumeId;
import java.util.UUID;

/**
 * A namespace with the identity that the database gave it once and for ever.
 *
 * @param nsid 1 to 0xFFFFFFFE
 * @param nguid 32 lower-case hexadecimal digits
 * @param eui64 16 lower-case hexadecimal digits, or 16 zeros for none
 * @param lbaBytes 512 or 4096
 * @param anaGroup 1 to 0xFFFFFFFE
 */
public record DesiredNamespace(
        NamespaceId id,
        long nsid,
        UUID uuid,
        String nguid,
        String eui64,
        long sizeBytes,
        int lbaBytes,
        long anaGroup,
        Backing backing) {

    /** What holds the namespace's data. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Backing.OfVolume.class, name = "volume"),
        @JsonSubTypes.Type(value = Backing.OfDrive.class, name = "drive")
    })
    public sealed interface Backing {
        /** A volume that is in {@link DesiredState#volumes()}. */
        record OfVolume(VolumeId volumeId) implements Backing {}

        /**
         * A whole drive.
         *
         * @param identity the stable identity under which the head reported the drive
         * @param agreedSignature the signature (for example {@code ext4}) whose loss the request agreed to, or empty
         */
        record OfDrive(DriveId driveId, String identity, String agreedSignature) implements Backing {}
    }
}
