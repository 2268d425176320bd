package io.fairlead.contract;

import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;

/**
 * A volume of a pool of this head. Data is destroyed only on an explicit {@link Presence#ABSENT}, never because a volume is missing
 * from the list: a restored database or ledger must not cost anybody's data.
 *
 * @param poolName the name under which the head reported the pool
 * @param sizeBytes a multiple of {@code lbaBytes}, above zero; only ever grows
 * @param lbaBytes 512 or 4096
 */
public record DesiredVolume(
        VolumeId id, PoolId poolId, String poolName, String name, long sizeBytes, int lbaBytes, Presence presence) {

    /** Whether the volume shall be there. */
    public enum Presence {
        PRESENT,
        ABSENT
    }
}
