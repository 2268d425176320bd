package io.fairlead.worker.engine.nvmet;

import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.engine.TargetEngineContract;
import java.time.Instant;
import java.util.Optional;

class NvmetEngineContractTest extends TargetEngineContract {

    @Override
    protected TargetEngine open() {
        FakeWorld world = new FakeWorld();
        return new NvmetEngine(
                new FakeConfigFs(world),
                new FakeMachine(world),
                directory.resolve("nvmet.json"),
                new KernelLog("boot-1", Instant.EPOCH),
                Optional.empty());
    }
}
