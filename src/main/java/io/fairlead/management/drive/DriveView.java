package io.fairlead.management.drive;

import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveReport;
import io.fairlead.core.DriveId;
import io.fairlead.core.HeadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A drive as the API shows it.
 *
 * @param exportable whether a whole-drive namespace may be made of it now
 * @param inUse why not
 * @param firmware the revision that runs on it, when it tells
 * @param health what it says of itself, with alarms, or why that is unknown; of a missing drive the last that was known
 */
public record DriveView(
        DriveId id,
        HeadId headId,
        DriveState state,
        String identity,
        String kind,
        String deviceName,
        String model,
        String serial,
        long sizeBytes,
        int lbaBytes,
        DriveReport.Rotation rotation,
        boolean exportable,
        List<DriveReport.InUseReason> inUse,
        Optional<String> firmware,
        Optional<DriveHealth> health,
        Instant since) {

    static DriveView of(Drive drive) {
        return new DriveView(
                drive.id(),
                drive.headId(),
                drive.state(),
                drive.identity(),
                drive.kind(),
                drive.deviceName(),
                drive.model(),
                drive.serial(),
                drive.sizeBytes(),
                drive.lbaBytes(),
                drive.rotation(),
                drive.state() == DriveState.PRESENT && drive.inUse().isEmpty(),
                drive.inUse(),
                drive.firmware(),
                drive.health(),
                drive.since());
    }
}
