package io.fairlead.management.job;

/** What was asked for. */
public enum JobKind {
    EXPORT_CREATE,
    EXPORT_UPDATE,
    EXPORT_DELETE,
    VOLUME_CREATE,
    VOLUME_GROW,
    VOLUME_DELETE,
    SUBSYSTEM_CREATE,
    SUBSYSTEM_UPDATE,
    SUBSYSTEM_DELETE,
    NAMESPACE_CREATE,
    NAMESPACE_DELETE,
    HOST_UPDATE
}
