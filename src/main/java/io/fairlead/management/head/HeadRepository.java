package io.fairlead.management.head;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.platform.database.Sql;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Rows of heads. Plain SQL: what matters here is one counter under a row lock. */
@Singleton
class HeadRepository {

    private static final String SELECT = "select h.id, h.name, h.generation, h.cntlid_first, h.cntlid_last, h.version,"
            + " h.created_at, s.seen_at, s.generation as observed_generation, s.engine_name, s.engine_version, s.capabilities,"
            + " s.limits, s.foreign_objects"
            + " from head h left join head_status s on s.head_id = h.id ";

    private static final TypeReference<List<Reason>> LIMITS = new TypeReference<>() {};
    private static final TypeReference<List<ForeignObject>> FOREIGN = new TypeReference<>() {};

    private final Sql sql;

    @Inject
    HeadRepository(Sql sql) {
        this.sql = sql;
    }

    Optional<Head> find(HeadId id) {
        return sql.first(SELECT + "where h.id = ?", HeadRepository::read, id.value());
    }

    List<Head> page(UUID after, int rowsMax) {
        return sql.list(SELECT + "where h.id > ? order by h.id limit ?", HeadRepository::read, after, rowsMax);
    }

    Optional<HeadId> findByCredential(byte[] hash) {
        return sql.first(
                "select id from head where credential_hash = ?", row -> new HeadId(row.getObject(1, UUID.class)), hash);
    }

    /** One more; the row stays locked until the transaction ends, which puts the changes to one head in order. */
    Optional<Generation> nextGeneration(HeadId id) {
        return sql.first(
                "update head set generation = generation + 1 where id = ? returning generation",
                row -> new Generation(row.getLong(1)),
                id.value());
    }

    Optional<Generation> generation(HeadId id) {
        return sql.first("select generation from head where id = ?", row -> new Generation(row.getLong(1)), id.value());
    }

    List<CntlidWindow> windows() {
        return sql.list(
                "select cntlid_first, cntlid_last from head order by cntlid_first",
                row -> new CntlidWindow(row.getInt(1), row.getInt(2)));
    }

    void add(HeadId id, String name, CntlidWindow cntlids, byte[] credentialHash, Instant now) {
        sql.update(
                "insert into head (id, name, cntlid_first, cntlid_last, credential_hash, version, created_at, updated_at)"
                        + " values (?, ?, ?, ?, ?, 0, ?, ?)",
                id.value(),
                name,
                cntlids.first(),
                cntlids.last(),
                credentialHash,
                now,
                now);
    }

    void delete(HeadId id) {
        sql.update("delete from listener where head_id = ?", id.value());
        sql.update("delete from head where id = ?", id.value());
    }

    private static <T> T read(String text, TypeReference<T> type) {
        try {
            return ContractJson.mapper().readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored report that cannot be read", e);
        }
    }

    private static Head read(ResultSet row) throws SQLException {
        Optional<Instant> seenAt = Sql.instant(row, "seen_at");
        Optional<Head.Status> status = Optional.empty();
        if (seenAt.isPresent()) {
            status = Optional.of(new Head.Status(
                    seenAt.get(),
                    new Generation(row.getLong("observed_generation")),
                    row.getString("engine_name"),
                    row.getString("engine_version"),
                    List.of((String[]) row.getArray("capabilities").getArray()),
                    read(row.getString("limits"), LIMITS),
                    read(row.getString("foreign_objects"), FOREIGN)));
        }
        return new Head(
                new HeadId(row.getObject("id", UUID.class)),
                row.getString("name"),
                new Generation(row.getLong("generation")),
                new CntlidWindow(row.getInt("cntlid_first"), row.getInt("cntlid_last")),
                row.getLong("version"),
                Sql.instant(row, "created_at").orElseThrow(),
                status);
    }
}
