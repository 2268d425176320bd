package io.fairlead.worker.engine.embedded;

import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.engine.TargetEngineContract;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import java.io.IOException;
import java.time.InstantSource;

/** The embedded engine keeps the contract of all engines. */
class EmbeddedEngineIT extends TargetEngineContract {

    @Override
    protected TargetEngine open() throws IOException {
        return EmbeddedEngine.open(TcpSettings.DEFAULT, InstantSource.system());
    }
}
