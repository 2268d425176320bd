package io.fairlead.contract;

/** What a worker says of one object of its desired state. */
public enum ObjectState {
    /** Read back from the engine: it is as desired. */
    READY,
    /** Waits for something outside (an address, a device); retried without being asked. */
    PENDING,
    /** Something is wrong with this object alone; retried, the others are served. */
    DEGRADED,
    /** It should be gone and is not yet. */
    REMOVING,
    /** It was asked to go and has gone; reported for volumes and pools that shall be absent. */
    ABSENT
}
