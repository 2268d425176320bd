package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.inventory.DriveFault;
import io.fairlead.worker.inventory.Drives;
import io.fairlead.worker.ledger.HeadMemory;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolDrives;
import io.fairlead.worker.volume.PoolHistory;
import io.fairlead.worker.volume.PoolProvider;
import io.fairlead.worker.volume.PoolStatus;
import io.fairlead.worker.volume.VolumeFault;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pools of one pass: those that the desired state asks for on drives, and those of the worker's command line. A drive is remembered
 * as a pool's before the pool writes to it, and a pool as made once it was read back.
 */
final class DrivePools {

    private final PoolProvider provider;
    private final Map<String, Pool> named;
    private final Drives drives;
    private final HeadMemory.Facts memory;
    private final Map<String, PoolId> poolDrives;
    private final Set<PoolId> made;
    private final Map<PoolId, PoolStatus> statuses = new HashMap<>();
    private final Map<PoolId, VolumeFault> faults = new HashMap<>();

    DrivePools(PoolProvider provider, Map<String, Pool> named, Drives drives, HeadMemory.Facts memory) {
        this.provider = provider;
        this.named = named;
        this.drives = drives;
        this.memory = memory;
        this.poolDrives = new HashMap<>(memory.poolDrives());
        this.made = new HashSet<>(memory.pools());
    }

    /** Has the pools made that shall be there. */
    void ensure(DesiredState desired) {
        for (DesiredPool pool : wanted(desired)) {
            switch (pool.presence()) {
                case PRESENT -> ensure(pool);
                case ABSENT -> {
                    // It goes after its volumes, and for that it has to be known.
                    if (made.contains(pool.id())
                            && hasVolumes(pool, desired)
                            && provider.pool(pool.id()).isEmpty()) {
                        ensure(pool);
                    }
                }
            }
        }
    }

    private static boolean hasVolumes(DesiredPool pool, DesiredState desired) {
        return desired.volumes().stream().anyMatch(volume -> volume.poolId().equals(pool.id()));
    }

    private static List<DesiredPool> wanted(DesiredState desired) {
        return desired.pools().orElse(List.of());
    }

    private void ensure(DesiredPool pool) {
        try {
            requireDrivesAreFree(pool);
            PoolStatus status = provider.ensure(pool, history(pool), lookup());
            statuses.put(pool.id(), status);
            switch (status) {
                case PoolStatus.Taking taking ->
                    taking.identities().forEach(identity -> poolDrives.put(identity, pool.id()));
                case PoolStatus.Ready ready -> {
                    ready.identities().forEach(identity -> poolDrives.put(identity, pool.id()));
                    made.add(pool.id());
                }
            }
        } catch (VolumeFault e) {
            faults.put(pool.id(), e);
        }
    }

    private void requireDrivesAreFree(DesiredPool pool) throws VolumeFault {
        for (DesiredPool.Member member : pool.drives()) {
            PoolId holder = poolDrives.get(member.identity());
            if (memory.claims().containsKey(member.identity())) {
                throw VolumeFault.broken(
                        "drive.in_use",
                        "The drive " + member.identity()
                                + " is a namespace of Fairlead. One drive is one or the other.",
                        null);
            }
            if (holder != null && !holder.equals(pool.id())) {
                throw VolumeFault.broken(
                        "drive.in_use",
                        "The drive " + member.identity() + " is in pool " + holder + ". One drive is in one pool.",
                        null);
            }
        }
    }

    private PoolHistory history(DesiredPool pool) {
        if (made.contains(pool.id())) {
            return PoolHistory.MADE_BEFORE;
        }
        boolean taken = pool.drives().stream()
                .allMatch(member -> pool.id().equals(memory.poolDrives().get(member.identity())));
        return taken && !pool.drives().isEmpty() ? PoolHistory.DRIVES_TAKEN : PoolHistory.NEW;
    }

    private PoolDrives lookup() {
        return new PoolDrives() {
            @Override
            public Path find(String identity) throws VolumeFault {
                try {
                    return drives.findPooled(identity);
                } catch (DriveFault e) {
                    throw volumeFault(e);
                }
            }

            @Override
            public Path findUnused(String identity, String agreedSignature) throws VolumeFault {
                try {
                    return drives.findUnused(identity, agreedSignature);
                } catch (DriveFault e) {
                    throw volumeFault(e);
                }
            }
        };
    }

    private static VolumeFault volumeFault(DriveFault fault) {
        return switch (fault.kind()) {
            case NOT_YET ->
                VolumeFault.notYet(fault.reason().code(), fault.reason().text(), fault);
            case BROKEN ->
                VolumeFault.broken(fault.reason().code(), fault.reason().text(), fault);
        };
    }

    /** The pool that a volume is carved from. */
    Pool require(DesiredVolume volume) throws VolumeFault {
        VolumeFault fault = faults.get(volume.poolId());
        if (fault != null) {
            throw fault;
        }
        if (statuses.get(volume.poolId()) instanceof PoolStatus.Taking) {
            throw VolumeFault.notYet("pool.making", "Its pool is being made.", null);
        }
        Optional<Pool> onDrives = provider.pool(volume.poolId());
        if (onDrives.isPresent()) {
            return onDrives.get();
        }
        Pool pool = named.get(volume.poolName());
        if (pool == null) {
            throw VolumeFault.broken(
                    "volume.pool_unknown",
                    "This head has no pool named " + volume.poolName() + ". Start its worker with that pool.",
                    null);
        }
        return pool;
    }

    /** Reports each pool, and destroys those that shall go once their volumes have gone. */
    void report(DesiredState desired, Set<VolumeId> removedVolumes, List<ObjectReport> reports) {
        for (DesiredPool pool : wanted(desired)) {
            reports.add(
                    switch (pool.presence()) {
                        case PRESENT -> present(pool);
                        case ABSENT -> remove(pool, desired, removedVolumes);
                    });
        }
    }

    private ObjectReport present(DesiredPool pool) {
        VolumeFault fault = faults.get(pool.id());
        if (fault != null) {
            Condition condition = Condition.of(fault);
            return report(pool, condition.state(), Optional.of(condition.reason()), Map.of());
        }
        return switch (statuses.get(pool.id())) {
            case PoolStatus.Taking taking ->
                report(
                        pool,
                        ObjectState.PENDING,
                        Optional.of(new Reason("pool.making", "The drives are free; the pool is being made.")),
                        Map.of());
            case PoolStatus.Ready ready ->
                ready.trouble().isEmpty()
                        ? report(pool, ObjectState.READY, Optional.empty(), ready.facts())
                        : report(
                                pool,
                                ObjectState.DEGRADED,
                                Optional.of(ready.trouble().getFirst()),
                                ready.facts());
        };
    }

    private ObjectReport remove(DesiredPool pool, DesiredState desired, Set<VolumeId> removedVolumes) {
        boolean hasVolumes = desired.volumes().stream()
                .anyMatch(volume -> volume.poolId().equals(pool.id()) && !removedVolumes.contains(volume.id()));
        if (hasVolumes) {
            return report(
                    pool,
                    ObjectState.REMOVING,
                    Optional.of(new Reason("pool.holds_volumes", "Volumes are still in the pool.")),
                    Map.of());
        }
        try {
            provider.remove(pool, history(pool), lookup());
        } catch (VolumeFault e) {
            return report(
                    pool, ObjectState.REMOVING, Optional.of(Condition.of(e).reason()), Map.of());
        }
        poolDrives.values().removeIf(pool.id()::equals);
        made.remove(pool.id());
        return report(pool, ObjectState.ABSENT, Optional.empty(), Map.of());
    }

    private static ObjectReport report(
            DesiredPool pool, ObjectState state, Optional<Reason> reason, Map<String, String> facts) {
        ObjectRef object = ObjectRef.of(pool.id());
        return new ObjectReport(object.kind(), object.id(), state, reason, facts);
    }

    /** What is to be remembered of pools. */
    HeadMemory.Facts remembered(HeadMemory.Facts facts) {
        return facts.withPools(poolDrives, made);
    }
}
