package io.fairlead.worker.engine;

import io.fairlead.worker.engine.embedded.EmbeddedEngine;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import io.fairlead.worker.engine.nvmet.NvmetEngine;
import io.fairlead.worker.engine.simulated.SimulatedEngine;
import io.fairlead.worker.engine.simulated.StepHook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** The one place that knows which engines exist. An engine that is not chosen never wakes up. */
public final class EngineSelector {

    private static final System.Logger LOG = System.getLogger(EngineSelector.class.getName());

    /** What may be asked for. */
    public enum Choice {
        AUTO,
        EMBEDDED,
        NVMET,
        SIMULATED
    }

    private EngineSelector() {}

    /**
     * Opens the engine. The embedded one serves nothing yet; the kernel's serves what it served.
     *
     * @param stateDirectory of the worker
     */
    public static TargetEngine open(Choice choice, Path stateDirectory) {
        TargetEngine engine = switch (choice) {
            case AUTO -> NvmetEngine.isAtHome(stateDirectory) ? openNvmet(stateDirectory) : openEmbedded();
            case EMBEDDED -> openEmbedded();
            case NVMET -> openNvmet(stateDirectory);
            case SIMULATED -> new SimulatedEngine(StepHook.NONE);
        };
        LOG.log(
                System.Logger.Level.INFO,
                "event=engine name={0} version={1} asked={2}",
                engine.name(),
                engine.version(),
                choice);
        return engine;
    }

    private static TargetEngine openNvmet(Path stateDirectory) {
        return NvmetEngine.open(stateDirectory, InstantSource.system());
    }

    private static TargetEngine openEmbedded() {
        try {
            return EmbeddedEngine.open(TcpSettings.DEFAULT, InstantSource.system());
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded engine cannot start", e);
        }
    }
}
