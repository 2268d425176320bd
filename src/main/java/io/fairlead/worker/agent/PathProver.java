package io.fairlead.worker.agent;

import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredPath;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.worker.prover.PathTarget;
import io.fairlead.worker.prover.Prover;
import java.util.Optional;

/** Connects as a host would and says whether that works. Called from the proving thread, one path at a time. */
interface PathProver {

    /**
     * A path whose parts are all READY.
     *
     * @param subsystem with the namespaces that the host shall find
     * @param traddr where the listener really listens
     * @param trsvcid the port that is really bound
     */
    record ReadyPath(
            DesiredPath path,
            DesiredHost host,
            DesiredSubsystem subsystem,
            Transport transport,
            String traddr,
            int trsvcid) {}

    /** Returns a report in each case; a path that does not hold is FAILED with the reason. */
    PathReport prove(ReadyPath path) throws InterruptedException;

    /** Proves with a real host's eyes. */
    static PathProver with(Prover prover) {
        return path -> prover.prove(new PathTarget(
                path.path().id(), path.transport(), path.host(), path.subsystem(), path.traddr(), path.trsvcid()));
    }

    /** For an engine that serves nobody: there is nothing to connect to, and it is said. */
    static PathProver nothingToProve(String engine) {
        Reason reason = new Reason(
                "path.no_io", "The " + engine + " engine serves no I/O, so that this path cannot be proven.");
        return path ->
                new PathReport(path.path().id(), PathReport.State.UNPROVEN, Optional.of(reason), Optional.empty());
    }
}
