package io.fairlead.worker.volume;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.PoolId;
import java.util.List;
import java.util.Optional;

/** Has no pools and makes none. */
final class NoPools implements PoolProvider {

    private static final Reason ABSENCE =
            new Reason("pool.provider_absent", "This worker was not started to make pools on drives.");

    @Override
    public Optional<Reason> absence() {
        return Optional.of(ABSENCE);
    }

    @Override
    public PoolStatus ensure(DesiredPool wanted, PoolHistory history, PoolDrives drives) throws VolumeFault {
        throw VolumeFault.notYet(ABSENCE.code(), ABSENCE.text(), null);
    }

    @Override
    public void remove(DesiredPool unwanted, PoolHistory history, PoolDrives drives) throws VolumeFault {
        if (history != PoolHistory.NEW) {
            throw VolumeFault.notYet(ABSENCE.code(), ABSENCE.text(), null);
        }
    }

    @Override
    public Optional<Pool> pool(PoolId id) {
        return Optional.empty();
    }

    @Override
    public List<PoolReport> reports() {
        return List.of();
    }

    @Override
    public List<ForeignPool> foreign() {
        return List.of();
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
