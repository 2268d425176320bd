package io.fairlead.management.host;

/** Whom a key proves. */
public enum HostKeyPurpose {
    /** The host to the controller. */
    HOST,
    /** The controller to the host. */
    CONTROLLER
}
