package io.fairlead.worker.agent;

/** The version of this worker. */
final class Version {

    private Version() {}

    /** From the manifest of the jar; {@code development} when there is none. */
    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
