package io.fairlead.contract;

import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.PoolId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a head observes, always whole. Sent after each reconcile and at least every ten seconds; it is the heartbeat too.
 *
 * @param bootId changes with each start of the worker process
 * @param sequence grows by one per report of this {@code bootId}; the management plane drops one that arrives late
 * @param generation the desired state that the last finished reconcile worked on
 * @param objects one entry per desired object of this head, and one per object of Fairlead's that should be gone but is still there
 * @param paths one entry per desired path
 * @param steps those since the last acknowledged report, oldest first, each once: a retry that ends as the one before is not told again
 * @param authenticationFailures those since the last acknowledged report; the worker keeps them until a report is answered with 2xx
 * @param foreign what the engine serves and Fairlead did not make
 * @param drift what something else changed, since the last acknowledged report; told again until then
 */
public record HeadReport(
        int schema,
        HeadId headId,
        String bootId,
        long sequence,
        Instant at,
        Generation generation,
        EngineReport engine,
        List<DriveReport> drives,
        List<PoolReport> pools,
        List<ObjectReport> objects,
        List<PathReport> paths,
        List<StepReport> steps,
        List<AuthenticationFailureReport> authenticationFailures,
        Optional<List<ForeignObject>> foreign,
        Optional<List<DriftReport>> drift) {

    public static final int SCHEMA = 1;

    public HeadReport {
        drives = List.copyOf(drives);
        pools = List.copyOf(pools);
        objects = List.copyOf(objects);
        paths = List.copyOf(paths);
        steps = List.copyOf(steps);
        authenticationFailures = List.copyOf(authenticationFailures);
        foreign = foreign.map(List::copyOf);
        drift = drift.map(List::copyOf);
    }

    /**
     * The engine that serves.
     *
     * @param name for example {@code embedded}
     * @param capabilities for example {@code transport.tcp}, {@code auth.dhchap}, {@code auth.dhchap.bidirectional}
     * @param limits what it cannot do on this head, with the consequence and what mends it
     */
    public record EngineReport(String name, String version, List<String> capabilities, Optional<List<Reason>> limits) {
        public EngineReport {
            capabilities = List.copyOf(capabilities);
            limits = limits.map(List::copyOf);
        }
    }

    /**
     * A pool of the {@code file} provider, from the worker's command line, or of the {@code lvm} provider, from the desired state.
     *
     * @param name unique on the head
     * @param location for people: the directory, or the volume group
     * @param freeBytes what thick volumes may still take; of a thin pool what is not written yet
     * @param problem why the pool as a whole cannot be used
     * @param details of a pool on drives
     */
    public record PoolReport(
            String name,
            String provider,
            String location,
            long capacityBytes,
            long freeBytes,
            Optional<Reason> problem,
            Optional<PoolDetails> details) {}

    /**
     * What is known of a pool on drives.
     *
     * @param allocationBytes volumes have a multiple of this size
     * @param provisionedBytes the sizes of all volumes together; of a thin pool this may be more than its capacity
     * @param metadataPercent how full the metadata of a thin pool are
     * @param syncPercent how far the copies are alike, while they are not
     * @param alarms what needs attention while the pool goes on serving: {@code pool.drive_missing}, {@code pool.degraded},
     *     {@code pool.data_nearly_full}, {@code pool.metadata_nearly_full}
     */
    public record PoolDetails(
            PoolId id,
            long allocationBytes,
            long provisionedBytes,
            Optional<Integer> metadataPercent,
            Optional<Integer> syncPercent,
            List<Reason> alarms) {
        public PoolDetails {
            alarms = List.copyOf(alarms);
        }
    }
}
