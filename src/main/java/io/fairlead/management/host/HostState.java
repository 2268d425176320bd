package io.fairlead.management.host;

/** What can be said of a host without asking a head. */
public enum HostState {
    /** It can be served. */
    READY,
    /** A key of it cannot be opened with the master key at hand: it is not served, and nothing is served in its stead. */
    KEY_UNAVAILABLE
}
