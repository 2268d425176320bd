package io.fairlead.worker.agent;

import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.HeadReport.EngineReport;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.Reconciliation;
import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.volume.PoolProvider;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The latest that each loop found out, for the others to read. Values never change once published. */
final class Findings {

    private final AtomicReference<Optional<Reconciliation>> reconciliation = new AtomicReference<>(Optional.empty());
    private final AtomicReference<List<PoolReport>> pools = new AtomicReference<>(List.of());
    private final AtomicReference<Engine> engine;

    Findings(Engine engine) {
        this.engine = new AtomicReference<>(engine);
    }

    /** What the engine and the pools can do at present, and what is there that is not Fairlead's. */
    record Engine(EngineReport report, List<ForeignObject> foreign) {

        /** Asks the engine and the provider of pools on drives; called by the thread that uses them. */
        static Engine of(TargetEngine engine, PoolProvider provider) {
            List<Reason> limits = Stream.concat(engine.limits().stream(), provider.absence().stream())
                    .toList();
            Stream<ForeignObject> foreignPools =
                    provider.foreign().stream().map(pool -> new ForeignObject(pool.kind(), pool.name(), pool.detail()));
            EngineReport report = new EngineReport(
                    engine.name(),
                    engine.version(),
                    engine.capabilities().stream()
                            .map(Capability::code)
                            .sorted()
                            .toList(),
                    Optional.of(limits));
            return new Engine(
                    report,
                    Stream.concat(engine.foreign().stream(), foreignPools).toList());
        }
    }

    Engine engine() {
        return engine.get();
    }

    void publishEngine(Engine found) {
        engine.set(found);
    }

    Optional<Reconciliation> reconciliation() {
        return reconciliation.get();
    }

    void publish(Reconciliation found) {
        reconciliation.set(Optional.of(found));
    }

    List<PoolReport> pools() {
        return pools.get();
    }

    void publishPools(List<PoolReport> found) {
        pools.set(List.copyOf(found));
    }
}
