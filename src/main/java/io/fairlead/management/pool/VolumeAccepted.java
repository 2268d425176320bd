package io.fairlead.management.pool;

import io.fairlead.core.JobId;

/** The answer to a change of a volume: how it shall be, and the job that brings it there. */
public record VolumeAccepted(VolumeView volume, JobId jobId) {}
