package io.fairlead.management.pool;

import io.fairlead.contract.Reason;
import io.fairlead.core.HeadId;
import io.fairlead.core.PoolId;
import java.time.Instant;

/**
 * A pool of a head.
 *
 * @param availableBytes what new volumes may take: free space less what accepted volumes have yet to take
 * @param problem absent while the pool is well
 */
public record PoolView(
        PoolId id,
        HeadId headId,
        String name,
        String provider,
        String location,
        long capacityBytes,
        long freeBytes,
        long availableBytes,
        Reason problem,
        Instant reportedAt) {}
