package io.fairlead.management.head;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether a head is heard of. A silent head may well go on serving. */
public enum HeadState {
    /** Has enrolled and not reported yet. */
    ENROLLED,
    /** Reported within {@link #SILENCE_MAX}. */
    ONLINE,
    /** Did not. */
    STALE;

    /** Three missed heartbeats: a worker reports at least every ten seconds. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    static HeadState of(Optional<Head.Status> status, Instant now) {
        return status.map(known -> known.seenAt().plus(SILENCE_MAX).isBefore(now) ? STALE : ONLINE)
                .orElse(ENROLLED);
    }
}
