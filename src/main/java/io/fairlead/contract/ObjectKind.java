package io.fairlead.contract;

/** The kinds of object that a worker reports on. */
public enum ObjectKind {
    VOLUME,
    HOST,
    SUBSYSTEM,
    NAMESPACE,
    LISTENER
}
