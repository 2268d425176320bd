package io.fairlead.worker.agent;

import io.fairlead.worker.engine.EngineSelector;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the command line said.
 *
 * @param pools directories by pool name
 */
record WorkerSettings(
        ManagementAddress management,
        Path stateDirectory,
        String name,
        EnrolmentToken token,
        EngineSelector.Choice engine,
        Map<String, Path> pools,
        List<Path> driveFiles) {
    WorkerSettings {
        pools = Map.copyOf(pools);
        driveFiles = List.copyOf(driveFiles);
    }
}
