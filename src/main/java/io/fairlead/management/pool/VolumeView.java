package io.fairlead.management.pool;

import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.HeadId;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import java.time.Instant;

/**
 * A volume: what is asked for, and what its head last said of it.
 *
 * @param state PENDING until the head has reported it
 * @param reason absent when READY
 * @param version of the row; the ETag has it in quotes
 */
public record VolumeView(
        VolumeId id,
        PoolId poolId,
        HeadId headId,
        String name,
        long sizeBytes,
        int lbaBytes,
        ObjectState state,
        Reason reason,
        long version,
        Instant createdAt,
        Instant updatedAt) {}
