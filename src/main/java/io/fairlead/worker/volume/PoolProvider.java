package io.fairlead.worker.volume;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.PoolId;
import java.util.List;
import java.util.Optional;

/**
 * Makes pools of whole drives. Like a {@link Pool} it is called from the reconciler's thread and returns soon; what takes long goes on in
 * threads of its own, which tell the listener given at opening when it is worth asking again.
 */
public interface PoolProvider extends AutoCloseable {

    /** Why no pool can be had from it on this head; empty: pools can be had. */
    Optional<Reason> absence();

    /**
     * Makes the pool be there, with at least these drives. Idempotent; a pool that is there is recognised by its own mark on the drives,
     * never by a name, and never made a second time.
     *
     * @throws VolumeFault while it cannot be had, being made included
     */
    PoolStatus ensure(DesiredPool wanted, PoolHistory history, PoolDrives drives) throws VolumeFault;

    /**
     * Destroys a pool that holds no volume any more and gives its drives back blank. Idempotent; returns when it is gone for good.
     *
     * @throws VolumeFault while it is still there
     */
    void remove(DesiredPool unwanted, PoolHistory history, PoolDrives drives) throws VolumeFault;

    /** The pool, if its volumes can be asked for. */
    Optional<Pool> pool(PoolId id);

    /** One report for each pool that was asked for. */
    List<PoolReport> reports();

    /** What is on this head's drives and was not made by Fairlead. It is shown and left alone. */
    List<ForeignPool> foreign();

    @Override
    void close();

    /** A worker that makes no pools on drives. */
    static PoolProvider none() {
        return new NoPools();
    }
}
