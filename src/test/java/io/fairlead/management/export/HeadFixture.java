package io.fairlead.management.export;

import io.fairlead.contract.HeadReport;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.PoolId;
import io.fairlead.management.pool.PoolService;
import io.fairlead.platform.database.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Heads with pools, as enrolment and a first report would leave them, without a worker. */
@Singleton
public class HeadFixture {

    @Inject
    Sql sql;

    @Inject
    Ids ids;

    @Inject
    PoolService pools;

    /** A head and its only pool. */
    public record HeadWithPool(HeadId head, PoolId pool) {}

    public HeadWithPool head(long freeBytes) {
        HeadId head = new HeadId(ids.next());
        QuarkusTransaction.requiringNew().run(() -> {
            int first = sql.first("select coalesce(max(cntlid_last), 0) + 1 from head", row -> row.getInt(1))
                    .orElseThrow();
            sql.update(
                    "insert into head (id, name, cntlid_first, cntlid_last, credential_hash, version, created_at, updated_at)"
                            + " values (?, ?, ?, ?, ?, 0, now(), now())",
                    head.value(),
                    "head-" + head,
                    first,
                    first,
                    head.toString().getBytes(StandardCharsets.UTF_8));
        });
        pools.report(
                head,
                List.of(new HeadReport.PoolReport(
                        "data", "file", "/pool", freeBytes, freeBytes, Optional.empty(), Optional.empty())));
        PoolId pool = sql.first(
                        "select id from pool where head_id = ?",
                        row -> new PoolId(row.getObject(1, UUID.class)),
                        head.value())
                .orElseThrow();
        return new HeadWithPool(head, pool);
    }
}
