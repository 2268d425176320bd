package io.fairlead.management.intent;

import io.fairlead.contract.HeadReport;
import io.fairlead.management.drive.DriveService;
import io.fairlead.management.head.DriftService;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.host.HostService;
import io.fairlead.management.job.JobService;
import io.fairlead.management.pool.PoolService;
import io.fairlead.management.pool.VolumeService;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.List;

/** Hands a report to everybody whom it concerns, in one transaction: either all of it is taken or none. */
@Singleton
class ReportService {

    private final ObservedService observed;
    private final DriveService drives;
    private final PoolService pools;
    private final VolumeService volumes;
    private final HostService hosts;
    private final JobService jobs;
    private final DriftService drift;

    @Inject
    ReportService(
            ObservedService observed,
            DriveService drives,
            PoolService pools,
            VolumeService volumes,
            HostService hosts,
            JobService jobs,
            DriftService drift) {
        this.observed = observed;
        this.drives = drives;
        this.pools = pools;
        this.volumes = volumes;
        this.hosts = hosts;
        this.jobs = jobs;
        this.drift = drift;
    }

    /** A late report changes nothing, but what it says was refused or drifted did happen, and is recorded once by its id. */
    @Transactional
    void take(HeadReport report) {
        hosts.record(report.headId(), report.authenticationFailures());
        drift.record(report.headId(), report.drift().orElse(List.of()));
        if (observed.store(report) == ObservedService.Taken.LATE) {
            return;
        }
        drives.report(report.headId(), report.drives());
        pools.report(report.headId(), report.pools());
        volumes.report(report.headId(), report.objects());
        jobs.evaluate(report.headId(), report.steps());
    }
}
