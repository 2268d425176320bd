package io.fairlead.management.job;

import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.PathId;

/**
 * A path that has to be proven before a job is done.
 *
 * @param generation the first desired state with the path
 */
public record PathConcern(HeadId headId, Generation generation, PathId pathId) {}
