package io.fairlead.management.host;

import io.fairlead.core.JobId;

/**
 * The answer to new keys.
 *
 * @param jobId the job that brings them to the heads; absent when no head serves the host
 */
public record HostKeysCreatedView(HostSecretsView secrets, JobId jobId) {}
