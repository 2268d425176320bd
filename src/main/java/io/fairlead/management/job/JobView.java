package io.fairlead.management.job;

import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import io.fairlead.core.JobId;
import io.fairlead.core.PathId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as the API shows it.
 *
 * @param summary what was asked for, in a sentence for people
 * @param deadlineAt when it fails unless it has succeeded
 * @param progressPercent steps that have ended, of all
 * @param failure present exactly when FAILED: the last reason that a head gave
 */
public record JobView(
        JobId id,
        JobKind kind,
        String summary,
        JobState state,
        Instant createdAt,
        Instant deadlineAt,
        Optional<Instant> finishedAt,
        List<Step> steps,
        int progressPercent,
        Optional<Reason> failure,
        Result result) {

    /** How far a step came. */
    public enum StepState {
        /** The head has not worked on it yet. */
        PENDING,
        /** The head has, and it is not as wanted yet; {@code detail} says why. */
        RUNNING,
        DONE,
        /** The path is served, and its head cannot try it; {@code detail} says why. Nothing more will come, so that it does not hold up the job. */
        UNPROVEN,
        /** Not as wanted when the job failed. */
        FAILED
    }

    /**
     * One thing that has to become true.
     *
     * @param name for example {@code volume ready}
     * @param detail what was done or what is in the way, for people
     */
    public record Step(
            HeadId headId,
            String name,
            StepState state,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            String detail) {}

    /** What came of it. */
    public record Result(List<Path> paths) {}

    /** A path and the evidence for it. */
    public record Path(
            PathId pathId,
            PathReport.State state,
            Optional<Transport> transport,
            Optional<Reason> reason,
            Optional<Proof> proof) {}

    /** Evidence from a connection as the host. */
    public record Proof(
            Instant provenAt,
            String traddr,
            int trsvcid,
            Optional<PathReport.Authenticated> authentication,
            Optional<Boolean> refusalWithoutKey,
            long p50Nanos,
            long p99Nanos,
            int reads,
            int namespaces) {}
}
