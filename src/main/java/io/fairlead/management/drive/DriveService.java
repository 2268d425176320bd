package io.fairlead.management.drive;

import io.fairlead.contract.DriveReport;
import io.fairlead.core.DriveId;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.platform.PageQuery;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Drives as heads report them. */
@Singleton
public class DriveService {

    private final DriveRepository drives;
    private final Ids ids;
    private final InstantSource clock;

    @Inject
    public DriveService(DriveRepository drives, Ids ids, InstantSource clock) {
        this.drives = drives;
        this.ids = ids;
        this.clock = clock;
    }

    /** Takes the whole list of a head's drives; rows that did not change are not touched. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void report(HeadId head, List<DriveReport> reports) {
        Instant now = clock.instant();
        Map<String, Drive> known =
                drives.ofHead(head).stream().collect(Collectors.toMap(Drive::identity, Function.identity()));
        Map<String, DriveReport> seen = reports.stream()
                .collect(Collectors.toMap(DriveReport::identity, Function.identity(), (first, second) -> first));
        for (DriveReport report : seen.values()) {
            Drive before = known.get(report.identity());
            Instant since = before != null && before.state() == DriveState.PRESENT ? before.since() : now;
            DriveId id = before == null ? new DriveId(ids.next()) : before.id();
            Drive drive = present(id, head, report, since);
            if (!drive.equals(before)) {
                drives.put(drive);
            }
        }
        for (Drive drive : known.values()) {
            if (!seen.containsKey(drive.identity())) {
                drives.missing(drive.id(), now);
            }
        }
    }

    private static Drive present(DriveId id, HeadId head, DriveReport report, Instant since) {
        return new Drive(
                id,
                head,
                report.identity(),
                report.kind(),
                report.deviceName(),
                report.model(),
                report.serial(),
                report.sizeBytes(),
                report.lbaBytes(),
                report.rotation(),
                report.inUse(),
                report.firmware(),
                report.health(),
                DriveState.PRESENT,
                since);
    }

    /** The drive, or {@link FailureCode#DRIVE_NOT_FOUND}. */
    public Drive get(DriveId id) {
        return drives.find(id)
                .orElseThrow(() -> Failure.of(
                        FailureCode.DRIVE_NOT_FOUND,
                        "There is no drive with this id. List them with GET /api/v1/drives."));
    }

    List<Drive> page(Optional<HeadId> head, Optional<AlarmFilter> alarm, PageQuery query) {
        return drives.page(head, alarm, query.after(), query.rowsMax());
    }
}
