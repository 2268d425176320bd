package io.fairlead.contract;

/** The kinds of object that a worker reports on. */
public enum ObjectKind {
    VOLUME,
    HOST,
    SUBSYSTEM,
    NAMESPACE,
    LISTENER,
    /** A pool of {@link DesiredState#pools()}; told only to a management plane that asked for one. */
    POOL
}
