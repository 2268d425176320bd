package io.fairlead.worker.agent;

import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.HeadReport.EngineReport;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.Reconciliation;
import io.fairlead.worker.engine.TargetEngine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The latest that each loop found out, for the others to read. Values never change once published. */
final class Findings {

    private final AtomicReference<Optional<Reconciliation>> reconciliation = new AtomicReference<>(Optional.empty());
    private final AtomicReference<List<PoolReport>> pools = new AtomicReference<>(List.of());
    private final AtomicReference<Engine> engine;

    Findings(Engine engine) {
        this.engine = new AtomicReference<>(engine);
    }

    /** What the engine can do at present, and what it serves that is not Fairlead's. */
    record Engine(EngineReport report, List<ForeignObject> foreign) {

        /** Asks the engine; called by the thread that uses it. */
        static Engine of(TargetEngine engine) {
            EngineReport report = new EngineReport(
                    engine.name(),
                    engine.version(),
                    engine.capabilities().stream()
                            .map(Capability::code)
                            .sorted()
                            .toList(),
                    Optional.of(engine.limits()));
            return new Engine(report, engine.foreign());
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
