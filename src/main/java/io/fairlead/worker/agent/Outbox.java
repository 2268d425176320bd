package io.fairlead.worker.agent;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.StepReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * What has to reach the management plane once: refused authentications, steps and drift, kept until a report with them was acknowledged.
 * Bounded, because a management plane may be away for weeks; the oldest are dropped and counted. Thread-safe.
 */
final class Outbox {

    static final int KEPT_MAX = 1_000;

    /** What one report carries; the token for {@link #acknowledge}. */
    record Content(List<AuthenticationFailureReport> refusals, List<StepReport> steps, List<DriftReport> drift) {
        static final Content NONE = new Content(List.of(), List.of(), List.of());

        Content {
            refusals = List.copyOf(refusals);
            steps = List.copyOf(steps);
            drift = List.copyOf(drift);
        }

        boolean isEmpty() {
            return refusals.isEmpty() && steps.isEmpty() && drift.isEmpty();
        }
    }

    private final Queue<AuthenticationFailureReport> refusals = new ArrayDeque<>();
    private final Queue<StepReport> steps = new ArrayDeque<>();
    private final Queue<DriftReport> drift = new ArrayDeque<>();
    private final Predicate<AuthenticationFailureReport> isOurs;
    private long droppedCount;

    /**
     * Makes an empty outbox.
     *
     * @param isOurs whether it was the worker itself that was refused, on purpose, while it proved a path: nobody has to be told
     */
    Outbox(Predicate<AuthenticationFailureReport> isOurs) {
        this.isOurs = isOurs;
    }

    /** Returns those that have to be told. */
    synchronized List<AuthenticationFailureReport> addRefusals(List<AuthenticationFailureReport> more) {
        List<AuthenticationFailureReport> others =
                more.stream().filter(isOurs.negate()).toList();
        add(refusals, others);
        return others;
    }

    synchronized void addSteps(List<StepReport> more) {
        add(steps, more);
    }

    synchronized void addDrift(List<DriftReport> more) {
        add(drift, more);
    }

    private <T> void add(Queue<T> queue, List<T> more) {
        for (T one : more) {
            if (queue.size() == KEPT_MAX) {
                queue.remove();
                droppedCount++;
            }
            queue.add(one);
        }
    }

    synchronized Content content() {
        return new Content(new ArrayList<>(refusals), new ArrayList<>(steps), new ArrayList<>(drift));
    }

    /** Forgets what was delivered, and nothing that came since. */
    synchronized void acknowledge(Content delivered) {
        refusals.removeAll(delivered.refusals());
        steps.removeAll(delivered.steps());
        drift.removeAll(delivered.drift());
    }

    /** Gives up on what cannot be delivered; it counts as dropped. */
    synchronized void discard(Content undeliverable) {
        acknowledge(undeliverable);
        droppedCount += undeliverable.refusals().size()
                + undeliverable.steps().size()
                + undeliverable.drift().size();
    }

    /** How many were dropped since the start. */
    synchronized long droppedCount() {
        return droppedCount;
    }
}
