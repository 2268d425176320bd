package io.fairlead.worker.volume;

import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.core.VolumeId;

/**
 * Holds volumes. {@link #ensure}, {@link #remove} and {@link #report} are called from the reconciler's thread and return soon: what
 * takes long goes on in a thread of the pool, which tells the listener given to it at opening when it is worth asking again.
 */
public interface Pool extends AutoCloseable {

    /** The name under which the head reports the pool. */
    String name();

    /** Capacity, free space, and what is wrong with the pool as a whole. */
    PoolReport report();

    /**
     * Makes the volume be there, with at least the size asked for. Idempotent; a volume that is there is checked to be the one that was
     * made, and never made a second time.
     *
     * @throws VolumeFault when it cannot be had; a volume that existed before is as it was
     */
    VolumeStatus ensure(DesiredVolume wanted, History history) throws VolumeFault;

    /**
     * Destroys the volume and its data. Idempotent; returns when it is gone for good.
     *
     * @throws VolumeFault when it is still there
     */
    void remove(VolumeId volume) throws VolumeFault;

    @Override
    void close();

    /** What the head remembers of a volume, so that an unmounted directory is never mistaken for an empty pool. */
    enum History {
        /** It was never seen whole: it may be made. */
        NEW,
        /** It was there once: if it is not there now, it is waited for, and no empty one is put in its place. */
        MADE_BEFORE
    }
}
