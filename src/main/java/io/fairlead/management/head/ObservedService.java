package io.fairlead.management.head;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.HeadReport;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.PathId;
import io.fairlead.platform.database.Sql;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What heads say of their objects and paths. A report is whole, so it replaces what the head said before; rows that did not change are
 * not touched. {@code since} moves only when the state or its reason does.
 */
@Singleton
public class ObservedService {

    private static final TypeReference<Map<String, String>> FACTS = new TypeReference<>() {};

    /** Whether a report was taken. */
    public enum Taken {
        NEWS,
        /** It arrived after a later one of the same boot, or belongs to a boot that is over. */
        LATE
    }

    private final Sql sql;
    private final HeadService heads;
    private final InstantSource clock;

    @Inject
    public ObservedService(Sql sql, HeadService heads, InstantSource clock) {
        this.sql = sql;
        this.heads = heads;
        this.clock = clock;
    }

    /** Stores the part of the report that is about the head, its objects and its paths; a late report changes nothing. */
    @Transactional(Transactional.TxType.MANDATORY)
    public Taken store(HeadReport report) {
        if (report.generation().isAfter(heads.generation(report.headId()))) {
            throw Failure.of(
                            FailureCode.HEAD_GENERATION_STALE,
                            "The head worked on generation " + report.generation() + ", which was never written here.")
                    .with("generation", heads.generation(report.headId()));
        }
        if (storeStatus(report) == 0) {
            return Taken.LATE;
        }
        storeObjects(report);
        storePaths(report);
        return Taken.NEWS;
    }

    private int storeStatus(HeadReport report) {
        String[] capabilities = report.engine().capabilities().toArray(String[]::new);
        return sql.update(
                "insert into head_status as s (head_id, boot_id, earlier_boots, sequence, generation, seen_at, engine_name, engine_version, capabilities,"
                        + " limits, foreign_objects)"
                        + " values (?, ?, '{}', ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)"
                        + " on conflict (head_id) do update set boot_id = excluded.boot_id,"
                        // The last few are enough: a report is at most as late as a connection lives.
                        + " earlier_boots = case when s.boot_id = excluded.boot_id then s.earlier_boots"
                        + "   else (array_prepend(s.boot_id, s.earlier_boots))[1:16] end,"
                        + " sequence = excluded.sequence, generation = excluded.generation, seen_at = excluded.seen_at,"
                        + " engine_name = excluded.engine_name, engine_version = excluded.engine_version,"
                        + " capabilities = excluded.capabilities, limits = excluded.limits, foreign_objects = excluded.foreign_objects"
                        + " where (s.boot_id = excluded.boot_id and s.sequence < excluded.sequence)"
                        + " or (s.boot_id <> excluded.boot_id and not excluded.boot_id = any (s.earlier_boots))",
                report.headId().value(),
                report.bootId(),
                report.sequence(),
                report.generation().value(),
                clock.instant(),
                report.engine().name(),
                report.engine().version(),
                capabilities,
                json(report.engine().limits().orElse(List.of())),
                json(report.foreign().orElse(List.of())));
    }

    private void storeObjects(HeadReport report) {
        String objects = json(report.objects());
        sql.update(
                "delete from observed_object o where head_id = ? and not exists ("
                        + " select 1 from jsonb_to_recordset(?::jsonb) as r(kind text, id uuid)"
                        + " where r.kind = o.kind and r.id = o.object_id)",
                report.headId().value(),
                objects);
        sql.update(
                "insert into observed_object as o (head_id, kind, object_id, generation, state, reason_code, reason_text, observed, since)"
                        + " select ?, kind, id, ?, state, reason ->> 'code', reason ->> 'text', observed, ?"
                        + " from jsonb_to_recordset(?::jsonb) as r(kind text, id uuid, state text, reason jsonb, observed jsonb)"
                        + " on conflict (head_id, kind, object_id) do update set generation = excluded.generation,"
                        + " state = excluded.state, reason_code = excluded.reason_code, reason_text = excluded.reason_text,"
                        + " observed = excluded.observed, since = case when"
                        + "   (o.state, o.reason_code) is distinct from (excluded.state, excluded.reason_code)"
                        + "   then excluded.since else o.since end"
                        + " where (o.generation, o.state, o.reason_code, o.reason_text, o.observed) is distinct from"
                        + " (excluded.generation, excluded.state, excluded.reason_code, excluded.reason_text, excluded.observed)",
                report.headId().value(),
                report.generation().value(),
                clock.instant(),
                objects);
    }

    private void storePaths(HeadReport report) {
        String paths = json(report.paths());
        sql.update(
                "delete from path_proof p where head_id = ? and not exists ("
                        + " select 1 from jsonb_to_recordset(?::jsonb) as r(id uuid) where r.id = p.path_id)",
                report.headId().value(),
                paths);
        sql.update(
                "insert into path_proof as p (path_id, head_id, generation, state, reason_code, reason_text, proof, since)"
                        + " select id, ?, ?, state, reason ->> 'code', reason ->> 'text', proof, ?"
                        + " from jsonb_to_recordset(?::jsonb) as r(id uuid, state text, reason jsonb, proof jsonb)"
                        + " on conflict (path_id) do update set generation = excluded.generation, state = excluded.state,"
                        + " reason_code = excluded.reason_code, reason_text = excluded.reason_text, proof = excluded.proof,"
                        + " since = case when (p.state, p.reason_code) is distinct from (excluded.state, excluded.reason_code)"
                        + "   then excluded.since else p.since end"
                        + " where p.head_id = excluded.head_id",
                report.headId().value(),
                report.generation().value(),
                clock.instant(),
                paths);
    }

    /** What heads say of this object, one entry per head that knows it; empty before the first report about it. */
    public List<ObservedView> of(ObjectKind kind, UUID objectId) {
        return sql.list(
                "select head_id, generation, state, reason_code, reason_text, observed, since from observed_object"
                        + " where kind = ? and object_id = ? order by head_id",
                ObservedService::readObject,
                kind.name(),
                objectId);
    }

    /** What is said of each of these objects; where several heads know one, the first of them. For lists. */
    public Map<UUID, ObservedView> find(ObjectKind kind, Collection<UUID> objectIds) {
        record Found(UUID objectId, ObservedView view) {}
        return sql
                .list(
                        "select object_id, head_id, generation, state, reason_code, reason_text, observed, since"
                                + " from observed_object where kind = ? and object_id = any (?::uuid[]) order by head_id",
                        row -> new Found(row.getObject("object_id", UUID.class), readObject(row)),
                        kind.name(),
                        objectIds.stream().map(UUID::toString).toArray(String[]::new))
                .stream()
                .collect(Collectors.toMap(Found::objectId, Found::view, (first, second) -> first));
    }

    /** What is said of this object; where several heads know it, by the first of them. */
    public Optional<ObservedView> find(ObjectKind kind, UUID objectId) {
        return of(kind, objectId).stream().findFirst();
    }

    /** What the head says of this object. */
    public Optional<ObservedView> of(HeadId head, ObjectKind kind, UUID objectId) {
        return of(kind, objectId).stream()
                .filter(view -> view.headId().equals(head))
                .findFirst();
    }

    /** What the prover says of this path; empty before the first report about it. */
    public Optional<ObservedPath> path(PathId path) {
        return sql.first(
                "select head_id, generation, state, reason_code, reason_text, proof, since from path_proof where path_id = ?",
                row -> readPath(row, path),
                path.value());
    }

    /** What the prover says of each of these paths. For lists. */
    public Map<PathId, PathReport> paths(Collection<PathId> paths) {
        return sql
                .list(
                        "select path_id, head_id, generation, state, reason_code, reason_text, proof, since from path_proof"
                                + " where path_id = any (?::uuid[])",
                        row -> readPath(row, new PathId(row.getObject("path_id", UUID.class))),
                        (Object) paths.stream().map(PathId::toString).toArray(String[]::new))
                .stream()
                .map(ObservedPath::report)
                .collect(Collectors.toMap(PathReport::id, report -> report));
    }

    /**
     * The proof of a path.
     *
     * @param generation the desired state that the proof is about
     */
    public record ObservedPath(HeadId headId, Generation generation, PathReport report, java.time.Instant since) {}

    private static ObservedView readObject(ResultSet row) throws SQLException {
        return new ObservedView(
                new HeadId(row.getObject("head_id", UUID.class)),
                ObjectState.valueOf(row.getString("state")),
                reason(row),
                new Generation(row.getLong("generation")),
                read(row.getString("observed"), FACTS),
                Sql.instant(row, "since").orElseThrow());
    }

    private static ObservedPath readPath(ResultSet row, PathId id) throws SQLException {
        String proof = row.getString("proof");
        return new ObservedPath(
                new HeadId(row.getObject("head_id", UUID.class)),
                new Generation(row.getLong("generation")),
                new PathReport(
                        id,
                        PathReport.State.valueOf(row.getString("state")),
                        reason(row),
                        Optional.ofNullable(proof).map(text -> read(text, new TypeReference<PathReport.Proof>() {}))),
                Sql.instant(row, "since").orElseThrow());
    }

    private static Optional<Reason> reason(ResultSet row) throws SQLException {
        String code = row.getString("reason_code");
        return code == null ? Optional.empty() : Optional.of(new Reason(code, row.getString("reason_text")));
    }

    private static String json(Object value) {
        try {
            return ContractJson.mapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report that cannot be written back", e);
        }
    }

    private static <T> T read(String text, TypeReference<T> type) {
        try {
            return ContractJson.mapper().readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored report that cannot be read", e);
        }
    }
}
