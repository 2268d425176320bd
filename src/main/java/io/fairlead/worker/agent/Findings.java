package io.fairlead.worker.agent;

import io.fairlead.contract.HeadReport.EngineReport;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.worker.engine.Reconciliation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The latest that each loop found out, for the others to read. Values never change once published. */
final class Findings {

    private final AtomicReference<Optional<Reconciliation>> reconciliation = new AtomicReference<>(Optional.empty());
    private final AtomicReference<List<PoolReport>> pools = new AtomicReference<>(List.of());
    private final EngineReport engine;

    Findings(EngineReport engine) {
        this.engine = engine;
    }

    EngineReport engine() {
        return engine;
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
