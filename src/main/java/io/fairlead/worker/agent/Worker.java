package io.fairlead.worker.agent;

import io.fairlead.contract.Reason;
import io.fairlead.worker.engine.EngineSelector;
import io.fairlead.worker.engine.Reconciler;
import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.inventory.Inventory;
import io.fairlead.worker.inventory.health.HealthWatch;
import io.fairlead.worker.inventory.health.KernelAdminQueue;
import io.fairlead.worker.ledger.Ledger;
import io.fairlead.worker.prover.Prover;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolProvider;
import io.fairlead.worker.volume.file.DirectoryPool;
import io.fairlead.worker.volume.lvm.LvmPools;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** One worker: opens what it needs, serves what the ledger says, then starts to talk. Closing it stops in the reverse order. */
final class Worker implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final Path ROOT = Path.of("/");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(5);

    private final WorkerSettings settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Nudge converge = new Nudge();
    private final Nudge prove = new Nudge();
    private final Nudge report = new Nudge();
    private final List<Thread> threads = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    Worker(WorkerSettings settings, InstantSource clock, RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Starts everything; returns at once, and {@code onServing} is called when what the ledger says has been tried.
     *
     * @throws IOException when the state directory cannot be used
     */
    void start(Serving onServing) throws IOException {
        Ledger ledger = open(Ledger.open(settings.stateDirectory()));
        for (Reason problem : ledger.problems()) {
            LOG.log(System.Logger.Level.ERROR, "event=" + problem.code() + " " + problem.text());
        }
        Map<String, Pool> pools = new HashMap<>();
        settings.pools()
                .forEach((name, directory) ->
                        pools.put(name, open(DirectoryPool.open(name, directory, converge::nudge))));
        PoolProvider provider = open(LvmPools.ofThisMachine(converge::nudge, System::nanoTime));
        TargetEngine engine = open(EngineSelector.open(settings.engine(), settings.stateDirectory()));
        HealthWatch health = new HealthWatch(
                device -> KernelAdminQueue.open(ROOT, device), Worker::onAThreadOfItsOwn, clock, System::nanoTime);
        Inventory inventory = new Inventory(ROOT, settings.driveFiles(), health, System::nanoTime);
        Reconciler reconciler = new Reconciler(ledger::desired, ledger, pools, provider, inventory, engine, clock);
        Findings findings = new Findings(Findings.Engine.of(engine, provider));
        Prover prover = new Prover(clock, System::nanoTime);
        Outbox outbox = new Outbox(refusal -> prover.claimOwnProbe(refusal.traddr()));
        PathProver pathProver =
                engine.servesHosts() ? PathProver.with(prover) : PathProver.nothingToProve(engine.name());
        PathProofs proofs = new PathProofs(pathProver, System::nanoTime);

        ConvergeLoop convergeLoop = new ConvergeLoop(
                reconciler,
                engine,
                pools.values(),
                provider,
                findings,
                outbox,
                converge,
                prove,
                report,
                System::nanoTime);
        run("converge", convergeLoop.announcing(() -> onServing.serving(findings)));
        run("prove", new ProveLoop(proofs, findings, prove, report));
        run("health", new HealthLoop(inventory, health, report));
        ManagementClient client = open(new ManagementClient(settings.management()));
        run("intent", new IntentLoop(client, ledger, settings.token(), settings.name(), backoff(), converge, report));
        run(
                "report",
                new ReportLoop(
                        client,
                        ledger,
                        inventory,
                        findings,
                        proofs,
                        outbox,
                        UUID.randomUUID().toString(),
                        clock,
                        backoff(),
                        report));
    }

    /** Told once, when the first pass has ended. */
    @FunctionalInterface
    interface Serving {
        void serving(Findings findings);
    }

    private Backoff backoff() {
        return new Backoff(FIRST_PAUSE, LONGEST_PAUSE, random);
    }

    private void run(String name, Runnable loop) {
        threads.add(Thread.ofPlatform().name(name).start(loop));
    }

    /** For a call that may never return; the process does not wait for it. */
    private static void onAThreadOfItsOwn(Runnable call) {
        Thread.ofPlatform().name("drive").daemon().start(call);
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.add(part);
        return part;
    }

    /** Stops serving, if serving ends with this process. */
    @Override
    public void close() {
        for (Thread thread : threads.reversed()) {
            thread.interrupt();
        }
        for (Thread thread : threads.reversed()) {
            try {
                if (!thread.join(STOP_TIME_MAX)) {
                    LOG.log(System.Logger.Level.WARNING, "event=thread-did-not-stop name={0}", thread.getName());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        for (AutoCloseable part : opened.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, "event=close-failed", e);
            }
        }
    }
}
