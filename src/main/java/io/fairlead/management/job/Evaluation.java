package io.fairlead.management.job;

import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.Generation;
import io.fairlead.core.PathId;
import io.fairlead.management.head.ObservedService;
import io.fairlead.management.head.ObservedView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds one step of a job against what its head observes. What a head says of an older generation than the step's does not count, in
 * either direction.
 */
final class Evaluation {

    private final ObservedService observed;
    private final Generation reached;
    private final List<StepReport> reports;
    private final Instant now;

    /**
     * Looks at one head.
     *
     * @param reached the desired state that the head has worked on
     * @param reports what its last reconcile did
     */
    Evaluation(ObservedService observed, Generation reached, List<StepReport> reports, Instant now) {
        this.observed = observed;
        this.reached = reached;
        this.reports = List.copyOf(reports);
        this.now = now;
    }

    /** The step as it is now. */
    Job.Step evaluate(Job.Step step) {
        if (step.generation().isAfter(reached)) {
            return step;
        }
        return switch (step.wanted()) {
            case READY, ABSENT -> object(step);
            case PROVEN -> path(step);
        };
    }

    private Job.Step object(Job.Step step) {
        ObjectKind kind = ObjectKind.valueOf(step.subject().name());
        Optional<ObservedView> view = observed.of(step.headId(), kind, step.objectId())
                .filter(found -> !step.generation().isAfter(found.generation()));
        boolean gone = view.isEmpty() || view.get().state() == ObjectState.ABSENT;
        boolean done = switch (step.wanted()) {
            case ABSENT -> gone;
            case READY, PROVEN -> view.isPresent() && view.get().state() == ObjectState.READY;
        };
        Optional<Reason> reason = view.flatMap(ObservedView::reason);
        if (!done && gone) {
            reason = Optional.of(new Reason("object.not_reported", "The head says nothing of it."));
        }
        return moved(step, done ? JobView.StepState.DONE : JobView.StepState.RUNNING, reason);
    }

    private Job.Step path(Job.Step step) {
        Optional<PathReport> report = observed.path(new PathId(step.objectId()))
                .filter(found -> !step.generation().isAfter(found.generation()))
                .map(ObservedService.ObservedPath::report);
        JobView.StepState state = switch (report.map(PathReport::state).orElse(PathReport.State.PENDING)) {
            case PROVEN -> JobView.StepState.DONE;
            case UNPROVEN -> JobView.StepState.UNPROVEN;
            case PENDING, FAILED -> JobView.StepState.RUNNING;
        };
        return moved(step, state, report.flatMap(PathReport::reason));
    }

    private Job.Step moved(Job.Step step, JobView.StepState state, Optional<Reason> reason) {
        boolean ended = state != JobView.StepState.RUNNING;
        List<StepReport> own = reports.stream()
                .filter(report -> !step.generation().isAfter(report.generation())
                        && report.kind().name().equals(step.subject().name())
                        && report.id().equals(step.objectId()))
                .toList();
        Instant started = Stream.concat(step.startedAt().stream(), own.stream().map(StepReport::startedAt))
                .min(Comparator.naturalOrder())
                .orElse(now);
        Optional<Instant> finished = ended
                ? step.finishedAt()
                        .or(() -> own.stream().map(StepReport::finishedAt).max(Comparator.naturalOrder()))
                        .or(() -> Optional.of(now))
                : Optional.empty();
        String did = own.stream().map(StepReport::name).distinct().collect(Collectors.joining("; "));
        // A report tells of what was done since the one before; what an earlier one told stays, unless it was a reason
        // that is over.
        String before = step.reasonCode().isPresent() ? "" : step.detail();
        String told = did.isEmpty() ? before : did;
        String detail = state == JobView.StepState.DONE
                ? told
                : reason.map(Reason::text).orElse(told);
        return new Job.Step(
                step.ordinal(),
                step.headId(),
                step.generation(),
                step.subject(),
                step.objectId(),
                step.wanted(),
                state,
                Optional.of(started),
                finished,
                detail,
                state == JobView.StepState.DONE ? Optional.empty() : reason.map(Reason::code));
    }
}
