package io.fairlead.management.pool;

import io.fairlead.contract.HeadReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.PoolId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Pools, as their heads report them. */
@ApplicationScoped
@Transactional
public class PoolService {

    private final PoolRepository repository;
    private final Ids ids;
    private final InstantSource clock;

    PoolService(PoolRepository repository, Ids ids, InstantSource clock) {
        this.repository = repository;
        this.ids = ids;
        this.clock = clock;
    }

    /** Takes over what a head says of its pools. A pool that is no longer reported keeps its row, and says so. */
    public void report(HeadId head, List<HeadReport.PoolReport> reports) {
        for (HeadReport.PoolReport report : reports) {
            PoolEntity pool = repository.byName(head, report.name()).orElseGet(() -> {
                PoolEntity fresh = new PoolEntity();
                fresh.id = ids.next();
                fresh.headId = head.value();
                fresh.name = report.name();
                fresh.createdAt = clock.instant();
                fresh.provider = report.provider();
                fresh.location = report.location();
                fresh.reportedAt = clock.instant();
                repository.persist(fresh);
                return fresh;
            });
            pool.provider = report.provider();
            pool.location = report.location();
            pool.capacityBytes = report.capacityBytes();
            pool.freeBytes = report.freeBytes();
            pool.problemCode = report.problem().map(Reason::code).orElse(null);
            pool.problemText = report.problem().map(Reason::text).orElse(null);
            pool.reportedAt = clock.instant();
        }
        List<String> names = reports.stream().map(HeadReport.PoolReport::name).toList();
        for (PoolEntity pool : repository.list("headId", head.value())) {
            if (!names.contains(pool.name)) {
                pool.problemCode = "pool.not_reported";
                pool.problemText =
                        "The head no longer reports this pool: start its worker with --pool " + pool.name + "=DIR.";
                pool.freeBytes = 0;
            }
        }
    }

    /** Pools after {@code after} in the order of their ids. */
    List<PoolView> page(UUID after, int count) {
        return views(
                repository.find("id > ?1 order by id", after).page(0, count).list());
    }

    public PoolView get(PoolId id) {
        return views(List.of(require(id))).getFirst();
    }

    /** The pool that a request means: the one it names, or the only one there is. */
    PoolEntity chosen(Optional<PoolId> named, String pointer) {
        if (named.isPresent()) {
            return repository
                    .locked(named.get().value())
                    .orElseThrow(() -> Failure.ofField(
                            FailureCode.POOL_NOT_FOUND, pointer, "There is no pool " + named.get() + "."));
        }
        List<PoolEntity> all = repository.find("order by id").page(0, 2).list();
        if (all.size() != 1) {
            throw Failure.ofField(
                    FailureCode.POOL_AMBIGUOUS,
                    pointer,
                    all.isEmpty()
                            ? "No head has reported a pool yet: start a worker with --pool NAME=DIR."
                            : "There are several pools; name one of them (GET /api/v1/pools).");
        }
        return repository.locked(all.getFirst().id).orElseThrow();
    }

    /** Free space less what accepted volumes have yet to take. The pool must be locked when something is taken by this number. */
    long availableBytes(PoolEntity pool) {
        long promised = repository.promisedBytes(List.of(pool.id)).getOrDefault(pool.id, 0L);
        return Math.max(0, pool.freeBytes - promised);
    }

    Map<UUID, PoolEntity> all(java.util.Collection<UUID> wanted) {
        return wanted.isEmpty()
                ? Map.of()
                : repository.list("id in ?1", wanted).stream()
                        .collect(java.util.stream.Collectors.toMap(pool -> pool.id, pool -> pool));
    }

    PoolEntity require(PoolId id) {
        return repository
                .findByIdOptional(id.value())
                .orElseThrow(() -> Failure.of(FailureCode.POOL_NOT_FOUND, "There is no pool " + id + "."));
    }

    private List<PoolView> views(List<PoolEntity> pools) {
        Map<UUID, Long> promised =
                repository.promisedBytes(pools.stream().map(pool -> pool.id).toList());
        return pools.stream()
                .map(pool -> new PoolView(
                        new PoolId(pool.id),
                        new HeadId(pool.headId),
                        pool.name,
                        pool.provider,
                        pool.location,
                        pool.capacityBytes,
                        pool.freeBytes,
                        Math.max(0, pool.freeBytes - promised.getOrDefault(pool.id, 0L)),
                        pool.problemCode == null ? null : new Reason(pool.problemCode, pool.problemText),
                        pool.reportedAt))
                .toList();
    }
}
