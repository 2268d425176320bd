package io.fairlead.worker.agent;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.worker.engine.Reconciler;
import io.fairlead.worker.engine.Reconciliation;
import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolProvider;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Activates the reconciler, by timer and by nudge. Its thread is the only one that touches the engine and the pools. */
final class ConvergeLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(ConvergeLoop.class.getName());

    /** How long a refused authentication may wait in the engine before somebody can read of it. */
    private static final Duration REFUSALS_INTERVAL = Duration.ofMillis(500);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration WITHOUT_INTENT = Duration.ofSeconds(5);

    private final Reconciler reconciler;
    private final TargetEngine engine;
    private final Collection<Pool> pools;
    private final PoolProvider provider;
    private final Findings findings;
    private final Outbox outbox;
    private final Nudge nudge;
    private final Nudge proveNudge;
    private final Nudge reportNudge;
    private final LongSupplier nanoClock;
    private List<ObjectReport> lastObjects = List.of();

    ConvergeLoop(
            Reconciler reconciler,
            TargetEngine engine,
            Collection<Pool> pools,
            PoolProvider provider,
            Findings findings,
            Outbox outbox,
            Nudge nudge,
            Nudge proveNudge,
            Nudge reportNudge,
            LongSupplier nanoClock) {
        this.reconciler = reconciler;
        this.engine = engine;
        this.pools = List.copyOf(pools);
        this.provider = provider;
        this.findings = findings;
        this.outbox = outbox;
        this.nudge = nudge;
        this.proveNudge = proveNudge;
        this.reportNudge = reportNudge;
        this.nanoClock = nanoClock;
    }

    /** The same loop, which calls {@code onFirst} once its first pass has ended. */
    Runnable announcing(Runnable onFirst) {
        return () -> run(onFirst);
    }

    @Override
    public void run() {
        run(() -> {});
    }

    private void run(Runnable onFirst) {
        try {
            Duration pause = activate();
            onFirst.run();
            await(pause);
            while (!Thread.currentThread().isInterrupted()) {
                await(activate());
            }
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        }
    }

    private Duration activate() {
        try {
            Optional<Reconciliation> found = reconciler.activate();
            found.ifPresent(this::publish);
            findings.publishPools(poolReports());
            publishEngine();
            return found.map(Reconciliation::untilNext).orElse(WITHOUT_INTENT);
        } catch (RuntimeException e) {
            // One failed pass must not end the loop: what is served goes on being served, and the next pass may
            // succeed.
            // Interrupted: the worker is being stopped, and its files with it.
            if (!Thread.currentThread().isInterrupted()) {
                LOG.log(System.Logger.Level.ERROR, "event=reconcile-failed", e);
            }
            return AFTER_FAILURE;
        }
    }

    private void publishEngine() {
        Findings.Engine engineNow = Findings.Engine.of(engine, provider);
        if (!engineNow.equals(findings.engine())) {
            findings.publishEngine(engineNow);
            reportNudge.nudge();
        }
    }

    private void publish(Reconciliation found) {
        Optional<Reconciliation> before = findings.reconciliation();
        outbox.addSteps(found.steps());
        outbox.addDrift(found.drift());
        found.drift().forEach(ConvergeLoop::log);
        findings.publish(found);
        boolean newIntent = before.isEmpty()
                || !before.get().desired().generation().equals(found.desired().generation());
        if (newIntent || !found.steps().isEmpty() || !lastObjects.equals(found.objects())) {
            log(found);
            lastObjects = found.objects();
            proveNudge.nudge();
            reportNudge.nudge();
        }
    }

    private static void log(DriftReport drift) {
        LOG.log(
                System.Logger.Level.WARNING,
                "event=drift object={0} repaired={1} differences={2}",
                drift.name(),
                drift.repaired(),
                drift.differences());
    }

    private static void log(Reconciliation found) {
        long ready = found.objects().stream()
                .filter(object -> object.state() == ObjectState.READY || object.state() == ObjectState.ABSENT)
                .count();
        LOG.log(
                System.Logger.Level.INFO,
                "event=reconciled generation={0} ready={1} objects={2} steps={3} drift={4}",
                found.desired().generation(),
                ready,
                found.objects().size(),
                found.steps().size(),
                found.driftCount());
    }

    private List<PoolReport> poolReports() {
        return Stream.concat(pools.stream().map(Pool::report), provider.reports().stream())
                .toList();
    }

    /** Waits for a nudge or the time of the next pass, and passes refusals on meanwhile. */
    private void await(Duration pause) throws InterruptedException {
        long due = nanoClock.getAsLong() + pause.toNanos();
        while (true) {
            takeRefusals();
            Duration left = Duration.ofNanos(due - nanoClock.getAsLong());
            if (left.isNegative() || nudge.await(left.compareTo(REFUSALS_INTERVAL) < 0 ? left : REFUSALS_INTERVAL)) {
                return;
            }
        }
    }

    private void takeRefusals() {
        List<AuthenticationFailureReport> refusals = outbox.addRefusals(engine.takeRefusals());
        for (AuthenticationFailureReport refusal : refusals) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "event=refused host={0} subsystem={1} from={2} check={3}",
                    refusal.hostNqn(),
                    refusal.subsystemNqn(),
                    refusal.traddr(),
                    refusal.check());
        }
        if (!refusals.isEmpty()) {
            reportNudge.nudge();
        }
    }
}
