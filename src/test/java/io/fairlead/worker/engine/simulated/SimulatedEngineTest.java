package io.fairlead.worker.engine.simulated;

import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.engine.TargetEngineContract;

class SimulatedEngineTest extends TargetEngineContract {

    @Override
    protected TargetEngine open() {
        return new SimulatedEngine(StepHook.NONE);
    }
}
