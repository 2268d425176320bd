package io.fairlead.management.head;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.Reason;
import io.fairlead.core.HeadId;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.database.Sql;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Keeps what heads found changed by somebody else: the newest of each head. Counted as {@code fairlead_drift_total} by kind. */
@Singleton
public class DriftService {

    private static final int KEPT_PER_HEAD = 1_000;
    private static final TypeReference<List<DriftReport.Difference>> DIFFERENCES = new TypeReference<>() {};

    private final Sql sql;
    private final HeadService heads;
    private final MeterRegistry meters;

    @Inject
    DriftService(Sql sql, HeadService heads, MeterRegistry meters) {
        this.sql = sql;
        this.heads = heads;
        this.meters = meters;
        for (ObjectKind kind : ObjectKind.values()) {
            count(kind, 0);
        }
    }

    private void count(ObjectKind kind, int more) {
        meters.counter("fairlead.drift", "kind", kind.name().toLowerCase(Locale.ROOT))
                .increment(more);
    }

    /** Records each finding once, however often it is told. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void record(HeadId head, List<DriftReport> findings) {
        if (findings.isEmpty()) {
            return;
        }
        for (DriftReport finding : findings) {
            int added = sql.update(
                    "insert into drift (id, head_id, seen_at, kind, object_id, name, differences, repair, repaired, reason_code, reason_text)"
                            + " values (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?) on conflict (id) do nothing",
                    finding.id(),
                    head.value(),
                    finding.seenAt(),
                    finding.kind().name(),
                    finding.objectId(),
                    finding.name(),
                    json(finding.differences()),
                    finding.repair(),
                    finding.repaired(),
                    finding.reason().map(Reason::code).orElse(null),
                    finding.reason().map(Reason::text).orElse(null));
            count(finding.kind(), added);
        }
        sql.update(
                "delete from drift where id in"
                        + " (select id from drift where head_id = ? order by seen_at desc, id desc offset ?)",
                head.value(),
                KEPT_PER_HEAD);
    }

    /** Newest first. A head makes the ids, so that the time and id of the last row of the page before say where to go on. */
    @Transactional
    Page<DriftView> page(HeadId head, PageQuery query) {
        heads.get(head);
        List<DriftView> rows = sql.list(
                "select * from drift d where head_id = ? and not exists"
                        + " (select 1 from drift a where a.id = ? and (a.seen_at, a.id) <= (d.seen_at, d.id))"
                        + " order by seen_at desc, id desc limit ?",
                DriftService::read,
                head.value(),
                query.after(),
                query.rowsMax());
        return Page.of(rows, query, DriftView::id, view -> view);
    }

    private static DriftView read(ResultSet row) throws SQLException {
        String code = row.getString("reason_code");
        return new DriftView(
                row.getObject("id", UUID.class),
                Sql.instant(row, "seen_at").orElseThrow(),
                ObjectKind.valueOf(row.getString("kind")),
                row.getObject("object_id", UUID.class),
                row.getString("name"),
                differences(row.getString("differences")),
                row.getString("repair"),
                row.getBoolean("repaired"),
                code == null ? Optional.empty() : Optional.of(new Reason(code, row.getString("reason_text"))));
    }

    private static String json(Object value) {
        try {
            return ContractJson.mapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report that cannot be written back", e);
        }
    }

    private static List<DriftReport.Difference> differences(String text) {
        try {
            return ContractJson.mapper().readValue(text, DIFFERENCES);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored report that cannot be read", e);
        }
    }
}
