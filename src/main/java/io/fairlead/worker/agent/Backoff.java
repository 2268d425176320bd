package io.fairlead.worker.agent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pauses between attempts: each up to twice the one before, at most {@code longest}, spread so that many heads do not come at once. */
final class Backoff {

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration next;

    Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.next = first;
    }

    /** The pause before the next attempt: between half of it and all of it, by chance. */
    Duration next() {
        long nanos = next.toNanos();
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return Duration.ofNanos(nanos / 2 + random.nextLong(nanos / 2 + 1));
    }

    void reset() {
        next = first;
    }
}
