package io.fairlead.worker.ledger;

import io.fairlead.core.Generation;

/** What became of a desired state that was offered. */
public sealed interface Acceptance {

    /** It is newer and is on stable media now. */
    record Accepted(Generation generation) implements Acceptance {}

    /** It is what the head has already. */
    record Unchanged() implements Acceptance {}

    /** It is older than what the head has: somebody answers from the past. */
    record Older(Generation held, Generation offered) implements Acceptance {}

    /** It has the number of what the head has and says something else: one of the two is wrong, and the head keeps its own. */
    record Contradiction(Generation generation) implements Acceptance {}

    /** It is not for this head, or in a form that this worker does not know. */
    record NotForUs(String why) implements Acceptance {}
}
