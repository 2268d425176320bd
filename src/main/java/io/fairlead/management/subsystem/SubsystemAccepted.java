package io.fairlead.management.subsystem;

import io.fairlead.core.JobId;

/**
 * The answer to a change of a subsystem or its namespaces.
 *
 * @param jobId absent when no head serves the subsystem yet
 */
public record SubsystemAccepted(SubsystemView subsystem, JobId jobId) {}
