package io.fairlead.management.intent;

import io.fairlead.contract.HeadReport;
import io.fairlead.management.drive.DriveService;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.job.JobService;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Hands a report to everybody whom it concerns, in one transaction: either all of it is taken or none. */
@Singleton
class ReportService {

    private final ObservedService observed;
    private final DriveService drives;
    private final JobService jobs;

    @Inject
    ReportService(ObservedService observed, DriveService drives, JobService jobs) {
        this.observed = observed;
        this.drives = drives;
        this.jobs = jobs;
    }

    /** A late report changes nothing. */
    @Transactional
    void take(HeadReport report) {
        if (observed.store(report) == ObservedService.Taken.LATE) {
            return;
        }
        drives.report(report.headId(), report.drives());
        jobs.evaluate(report.headId(), report.steps());
    }
}
