package io.fairlead.contract;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One step of a reconcile.
 *
 * @param generation the desired state that asked for it
 * @param name what was done, for people: {@code add namespace 1 to nqn…}
 * @param kind the object it concerned
 * @param id the object it concerned
 */
public record StepReport(
        io.fairlead.core.Generation generation,
        String name,
        ObjectKind kind,
        UUID id,
        Outcome outcome,
        Instant startedAt,
        Instant finishedAt,
        Optional<Reason> reason) {

    /** How it ended. */
    public enum Outcome {
        DONE,
        FAILED,
        SKIPPED
    }
}
