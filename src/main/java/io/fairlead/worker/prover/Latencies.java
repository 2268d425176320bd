package io.fairlead.worker.prover;

import java.util.Arrays;

/** Times of a number of reads. Not thread-safe. */
final class Latencies {

    private long[] nanos = new long[64];
    private int count;

    void add(long elapsedNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = elapsedNanos;
    }

    int count() {
        return count;
    }

    /** The least time that so many of a hundred did not exceed; 0 without any. */
    long percentileNanos(int percent) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100.0 * count);
        return sorted[Math.max(0, rank - 1)];
    }
}
