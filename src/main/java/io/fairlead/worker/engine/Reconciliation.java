package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.StepReport;
import java.time.Duration;
import java.util.List;

/**
 * What one pass of the reconciler found and did.
 *
 * @param desired what it worked towards
 * @param observed what the engine served at its end
 * @param objects one report per object
 * @param steps what it did, without retries that ended as the ones before
 * @param drift what somebody else had changed, and whether it could be put right
 * @param untilNext when to activate it again if nothing else does
 * @param driftCount how many changes by somebody else it has repaired since its start
 */
public record Reconciliation(
        DesiredState desired,
        ObservedTarget observed,
        List<ObjectReport> objects,
        List<StepReport> steps,
        List<DriftReport> drift,
        Duration untilNext,
        long driftCount) {
    public Reconciliation {
        objects = List.copyOf(objects);
        steps = List.copyOf(steps);
        drift = List.copyOf(drift);
    }
}
