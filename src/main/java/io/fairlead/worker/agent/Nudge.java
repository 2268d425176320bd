package io.fairlead.worker.agent;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one loop. Many nudges before it wakes are one; a nudge while it works is not lost. */
final class Nudge {

    private final Semaphore pending = new Semaphore(0);

    void nudge() {
        pending.release();
    }

    /** Waits for a nudge, at most that long; true when there was one. */
    boolean await(Duration longest) throws InterruptedException {
        boolean nudged = pending.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
        pending.drainPermits();
        return nudged;
    }
}
