package io.fairlead.worker.volume;

/** What the head remembers of a pool on drives, so that somebody else's data and lost pools are told from blank drives. */
public enum PoolHistory {
    /** Its drives have yet to be checked. */
    NEW,
    /** Its drives were checked and taken for it; whatever is on them is an unfinished beginning of this very pool. */
    DRIVES_TAKEN,
    /** It was there once: if it is not there now, it is waited for, and no empty one is put in its place. */
    MADE_BEFORE
}
