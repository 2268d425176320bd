package io.fairlead.worker.engine;

import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.Generation;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Applies one plan. A step that fails makes its own object PENDING or DEGRADED; steps that need it are skipped with that reason; all
 * others are done.
 */
final class StepRun {

    private static final System.Logger LOG = System.getLogger(StepRun.class.getName());

    private final TargetEngine engine;
    private final InstantSource clock;
    private final Generation generation;
    private final Conditions conditions;
    private final Predicate<Step> isDrift;
    private final List<StepReport> reports = new ArrayList<>();

    private final Map<ObjectRef, Condition> failed = new HashMap<>();
    private final Map<SubsystemId, Condition> stillLinked = new HashMap<>();
    private final Map<ListenerId, Condition> stillLinking = new HashMap<>();
    private final Map<HostId, Condition> stillAllowed = new HashMap<>();
    private final Map<SubsystemId, Condition> stillHolding = new HashMap<>();
    private final Map<SubsystemId, Set<NamespaceId>> served = new HashMap<>();
    private final Map<SubsystemId, Condition> namespaceFailed = new HashMap<>();

    StepRun(
            TargetEngine engine,
            InstantSource clock,
            Generation generation,
            ObservedTarget observed,
            Conditions conditions,
            Predicate<Step> isDrift) {
        this.engine = engine;
        this.clock = clock;
        this.generation = generation;
        this.conditions = conditions;
        this.isDrift = isDrift;
        observed.subsystems()
                .forEach((id, subsystem) ->
                        served.put(id, new HashSet<>(subsystem.namespaces().keySet())));
    }

    List<StepReport> run(List<Step> plan) {
        for (Step step : plan) {
            run(step);
        }
        return List.copyOf(reports);
    }

    private void run(Step step) {
        Instant started = clock.instant();
        Optional<Condition> blocker = blocker(step);
        if (blocker.isPresent()) {
            onFailure(step, blocker.get());
            report(
                    step,
                    StepReport.Outcome.SKIPPED,
                    started,
                    Optional.of(blocker.get().reason()));
            return;
        }
        try {
            engine.apply(withoutBlocked(step));
            onDone(step);
            Optional<Reason> drift = isDrift.test(step)
                    ? Optional.of(new Reason(
                            "drift.repaired", "This was changed by something else than Fairlead and is put right."))
                    : Optional.empty();
            report(step, StepReport.Outcome.DONE, started, drift);
        } catch (EngineFault e) {
            onFailure(step, Condition.of(e));
            report(step, StepReport.Outcome.FAILED, started, Optional.of(e.reason()));
        } catch (RuntimeException e) {
            // A fault of ours in one step must not keep the other objects from being served.
            LOG.log(System.Logger.Level.ERROR, "step failed unexpectedly: " + step.describe(), e);
            Condition condition =
                    Condition.broken("engine.failed", "The engine failed in a way it should not; its log says more.");
            onFailure(step, condition);
            report(step, StepReport.Outcome.FAILED, started, Optional.of(condition.reason()));
        }
    }

    private void report(Step step, StepReport.Outcome outcome, Instant started, Optional<Reason> reason) {
        reports.add(new StepReport(
                generation, step.describe(), step.kind(), step.objectId(), outcome, started, clock.instant(), reason));
    }

    private void onDone(Step step) {
        switch (step) {
            case Step.AddNamespace add ->
                served.computeIfAbsent(add.subsystem(), id -> new HashSet<>())
                        .add(add.namespace().id());
            case Step.RemoveNamespace remove ->
                served.getOrDefault(remove.subsystem(), new HashSet<>()).remove(remove.namespace());
            case Step.PutHost _,
                    Step.RemoveHost _,
                    Step.PutSubsystem _,
                    Step.RemoveSubsystem _,
                    Step.AllowHost _,
                    Step.DisallowHost _,
                    Step.ResizeNamespace _,
                    Step.AddListener _,
                    Step.RemoveListener _,
                    Step.SetAnaState _,
                    Step.Link _,
                    Step.Unlink _ -> {
                // Nothing later in this run asks for it.
            }
        }
    }

    private void onFailure(Step step, Condition condition) {
        conditions.add(ObjectRef.of(step), condition);
        switch (step) {
            case Step.Unlink unlink -> {
                stillLinked.putIfAbsent(unlink.subsystem(), condition);
                stillLinking.putIfAbsent(unlink.listener(), condition);
            }
            case Step.DisallowHost disallow -> stillAllowed.putIfAbsent(disallow.host(), condition);
            case Step.RemoveNamespace remove -> {
                failed.put(ObjectRef.of(step), condition);
                stillHolding.putIfAbsent(remove.subsystem(), condition);
            }
            case Step.AddNamespace add -> namespaceFailed.putIfAbsent(add.subsystem(), condition);
            case Step.PutHost _,
                    Step.RemoveHost _,
                    Step.PutSubsystem _,
                    Step.RemoveSubsystem _,
                    Step.AddListener _,
                    Step.RemoveListener _ -> failed.put(ObjectRef.of(step), condition);
            case Step.AllowHost _, Step.ResizeNamespace _, Step.SetAnaState _, Step.Link _ -> {
                // Nothing later in this run depends on it.
            }
        }
    }

    /** Why a step cannot be done because of what happened before it in this run. */
    private Optional<Condition> blocker(Step step) {
        return switch (step) {
            case Step.Unlink _, Step.DisallowHost _ -> Optional.empty();
            case Step.RemoveNamespace remove ->
                cause(stillLinked.get(remove.subsystem()), "namespace.still_linked", "Its subsystem is still linked.");
            case Step.RemoveSubsystem remove ->
                cause(stillLinked.get(remove.subsystem()), "subsystem.still_linked", "It is still linked.")
                        .or(() -> cause(
                                stillHolding.get(remove.subsystem()),
                                "subsystem.still_holding",
                                "It still has a namespace."));
            case Step.RemoveListener remove ->
                cause(
                        stillLinking.get(remove.listener()),
                        "listener.still_linked",
                        "A subsystem is still served there.");
            case Step.RemoveHost remove ->
                cause(stillAllowed.get(remove.host()), "host.still_allowed", "It is still allowed to a subsystem.");
            case Step.PutHost _, Step.PutSubsystem _, Step.AddListener _, Step.SetAnaState _ -> replaced(step);
            case Step.AddNamespace add -> replaced(step).or(() -> subsystemFailed(add.subsystem()));
            case Step.ResizeNamespace resize -> subsystemFailed(resize.subsystem());
            case Step.AllowHost allow ->
                subsystemFailed(allow.subsystem())
                        .or(() -> cause(
                                failed.get(ObjectRef.of(allow.host())),
                                "subsystem.host_unavailable",
                                "A host cannot be let in yet."));
            case Step.Link link -> linkBlocker(link);
        };
    }

    /** A new listener begins with the subsystems that can be served; the others are linked once they can. */
    private Step withoutBlocked(Step step) {
        return step instanceof Step.AddListener add
                ? new Step.AddListener(
                        add.listener(),
                        add.serving().stream()
                                .filter(served ->
                                        servingBlocker(served.subsystem()).isEmpty())
                                .toList())
                : step;
    }

    private Optional<Condition> linkBlocker(Step.Link link) {
        return subsystemFailed(link.subsystem())
                .or(() -> cause(
                        failed.get(ObjectRef.of(link.listener())),
                        "subsystem.listener_unavailable",
                        "One of its listeners does not listen."))
                .or(() -> servingBlocker(link.subsystem()));
    }

    private Optional<Condition> servingBlocker(SubsystemId subsystem) {
        return subsystemFailed(subsystem)
                .or(() ->
                        served.getOrDefault(subsystem, Set.of()).isEmpty() ? noNamespace(subsystem) : Optional.empty());
    }

    private Optional<Condition> noNamespace(SubsystemId subsystem) {
        Condition cause =
                namespaceFailed.getOrDefault(subsystem, Condition.waiting("namespace.absent", "It has no namespace."));
        return cause(cause, "subsystem.no_namespace", "It is not served while none of its namespaces is ready.");
    }

    private Optional<Condition> subsystemFailed(SubsystemId subsystem) {
        return cause(
                failed.get(ObjectRef.of(subsystem)), "subsystem.unavailable", "The subsystem is not as it shall be.");
    }

    /** The object was to be taken away first and is still there. */
    private Optional<Condition> replaced(Step step) {
        return cause(failed.get(ObjectRef.of(step)), "object.still_there", "What it replaces is still there.");
    }

    private static Optional<Condition> cause(Condition cause, String code, String text) {
        return Optional.ofNullable(cause).map(present -> present.asCauseOf(code, text));
    }
}
