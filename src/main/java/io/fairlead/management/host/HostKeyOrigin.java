package io.fairlead.management.host;

/** Where a key came from. */
public enum HostKeyOrigin {
    GENERATED,
    BROUGHT
}
