package io.fairlead.worker.agent;

import io.fairlead.worker.inventory.Inventory;
import io.fairlead.worker.inventory.health.HealthWatch;
import java.time.Duration;

/** Looks after the health of the drives that are there; a new one is asked within seconds. */
final class HealthLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(HealthLoop.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    private final Inventory inventory;
    private final HealthWatch watch;
    private final Nudge reportNudge;
    private final Nudge nudge = new Nudge();

    HealthLoop(Inventory inventory, HealthWatch watch, Nudge reportNudge) {
        this.inventory = inventory;
        this.watch = watch;
        this.reportNudge = reportNudge;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                look();
                nudge.await(LOOK_EVERY);
            }
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            watch.look(inventory.subjects(), reportNudge::nudge);
        } catch (RuntimeException e) {
            // Looking is not worth dying for.
            LOG.log(System.Logger.Level.ERROR, "event=health-failed", e);
        }
    }
}
