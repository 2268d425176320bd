package io.fairlead.worker.agent;

import io.fairlead.worker.engine.Reconciliation;
import java.time.Duration;
import java.util.Optional;

/** Proves paths after each convergence that changed something, and from time to time. */
final class ProveLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(ProveLoop.class.getName());
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final PathProofs proofs;
    private final Findings findings;
    private final Nudge nudge;
    private final Nudge reportNudge;

    ProveLoop(PathProofs proofs, Findings findings, Nudge nudge, Nudge reportNudge) {
        this.proofs = proofs;
        this.findings = findings;
        this.nudge = nudge;
        this.reportNudge = reportNudge;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                nudge.await(round());
            }
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        }
    }

    private Duration round() throws InterruptedException {
        Optional<Reconciliation> found = findings.reconciliation();
        if (found.isEmpty()) {
            return PathProofs.PROVEN_FOR;
        }
        try {
            return proofs.proveDue(found.get(), reportNudge::nudge);
        } catch (RuntimeException e) {
            // A prover that fails in a way it should not must not end the loop.
            // Interrupted: the worker is being stopped, and its files with it.
            if (!Thread.currentThread().isInterrupted()) {
                LOG.log(System.Logger.Level.ERROR, "event=prove-failed", e);
            }
            return AFTER_FAILURE;
        }
    }
}
