package io.fairlead.nvme.auth;

import java.util.random.RandomGenerator;

/** Sequence numbers of challenges: unpredictable, and never 0, which says that there is no challenge. */
final class Sequence {

    private Sequence() {}

    static int next(RandomGenerator random) {
        int sequence = random.nextInt();
        return sequence == 0 ? 1 : sequence;
    }
}
