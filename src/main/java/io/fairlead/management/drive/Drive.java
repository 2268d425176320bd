package io.fairlead.management.drive;

import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveReport;
import io.fairlead.core.DriveId;
import io.fairlead.core.HeadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A drive of a head.
 *
 * @param identity stable across reboots and renaming
 * @param deviceName where it was when it was reported last, for people
 * @param inUse why it must not be exported; empty: it may
 * @param health as it was reported last; its alarms count while the drive is there
 * @param since when it came or went missing
 */
public record Drive(
        DriveId id,
        HeadId headId,
        String identity,
        String kind,
        String deviceName,
        String model,
        String serial,
        long sizeBytes,
        int lbaBytes,
        DriveReport.Rotation rotation,
        List<DriveReport.InUseReason> inUse,
        Optional<String> firmware,
        Optional<DriveHealth> health,
        DriveState state,
        Instant since) {

    public Drive {
        inUse = List.copyOf(inUse);
    }
}
