package io.fairlead.management.job;

import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The record of one requested change. */
record Job(
        JobId id,
        JobKind kind,
        String summary,
        JobState state,
        Instant createdAt,
        Instant deadlineAt,
        Optional<Instant> finishedAt,
        Optional<Reason> failure,
        Optional<JobView.Result> result,
        List<Step> steps) {

    /** What a step is about: the kinds of object that a worker reports on, and paths. */
    enum Subject {
        VOLUME,
        HOST,
        SUBSYSTEM,
        NAMESPACE,
        LISTENER,
        PATH
    }

    /** What a step waits for. */
    enum Wanted {
        READY,
        ABSENT,
        PROVEN
    }

    /**
     * One thing that has to become true.
     *
     * @param reasonCode of what is in the way; empty when nothing is
     */
    record Step(
            int ordinal,
            HeadId headId,
            Generation generation,
            Subject subject,
            UUID objectId,
            Wanted wanted,
            JobView.StepState state,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            String detail,
            Optional<String> reasonCode) {

        String name() {
            return subject.name().toLowerCase(java.util.Locale.ROOT)
                    + switch (wanted) {
                        case READY -> " ready";
                        case ABSENT -> " gone";
                        case PROVEN -> " proven";
                    };
        }

        /** Whether the head can do no more for it. */
        boolean hasEnded() {
            return state == JobView.StepState.DONE || state == JobView.StepState.UNPROVEN;
        }
    }

    int progressPercent() {
        long done = steps.stream().filter(Step::hasEnded).count();
        return steps.isEmpty() ? 100 : (int) (done * 100 / steps.size());
    }
}
