package io.fairlead.management.job;

/** Where a job stands; it leaves RUNNING once. */
public enum JobState {
    RUNNING,
    SUCCEEDED,
    FAILED
}
