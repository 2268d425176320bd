package io.fairlead.management.host;

import io.fairlead.core.JobId;

/**
 * The answer to a change of a host.
 *
 * @param jobId the job that brings the change to the heads; absent when no head has to know
 */
public record HostAccepted(HostView host, JobId jobId) {}
