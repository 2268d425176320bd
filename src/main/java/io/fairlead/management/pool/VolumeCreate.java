package io.fairlead.management.pool;

import io.fairlead.core.PoolId;

/**
 * A new volume.
 *
 * @param poolId left out: the only pool there is
 * @param sizeBytes a multiple of {@code lbaBytes}
 * @param lbaBytes 512 or 4096; left out: 4096
 */
public record VolumeCreate(PoolId poolId, String name, Long sizeBytes, Integer lbaBytes) {}
