package io.fairlead.contract;

import java.util.List;
import java.util.Optional;

/**
 * A drive as the head sees it.
 *
 * @param identity stable across reboots and renaming: {@code eui.…}, {@code nguid.…}, {@code uuid.…}, {@code wwn.…},
 *     {@code serial.<model>_<serial>}, or {@code file.<absolute path>} for a file-backed drive
 * @param kind {@code nvme}, {@code scsi}, {@code virtio}, {@code file}, …
 * @param deviceName where it is right now, for people; never used to find it
 * @param inUse why it must not be exported; empty: it may
 * @param firmware the revision that runs on the drive, when it tells
 * @param health absent only when the worker is too old to look
 */
public record DriveReport(
        String identity,
        String kind,
        String deviceName,
        String model,
        String serial,
        long sizeBytes,
        int lbaBytes,
        Rotation rotation,
        List<InUseReason> inUse,
        Optional<String> firmware,
        Optional<DriveHealth> health) {

    /** Whether the drive turns. */
    public enum Rotation {
        SOLID_STATE,
        ROTATIONAL,
        UNKNOWN
    }

    /**
     * A reason not to export a drive.
     *
     * @param code {@code mounted}, {@code boot_device}, {@code swap}, {@code partitions}, {@code signature}, {@code holder}, {@code exported},
     *     {@code pool}, {@code unreadable}
     * @param text a sentence for a person
     * @param signature the name of the signature that was found, for {@code signature} and {@code partitions} only
     */
    public record InUseReason(String code, String text, Optional<String> signature) {}

    public DriveReport {
        inUse = List.copyOf(inUse);
    }
}
