package io.fairlead.management.head;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import io.fairlead.core.ListenerId;
import io.fairlead.platform.database.Sql;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Rows of listeners. */
@Singleton
class ListenerRepository {

    private static final String SELECT =
            "select id, head_id, transport, adrfam, traddr, trsvcid, version, created_at from listener ";

    private final Sql sql;

    @Inject
    ListenerRepository(Sql sql) {
        this.sql = sql;
    }

    Optional<Listener> find(ListenerId id) {
        return sql.first(SELECT + "where id = ?", ListenerRepository::read, id.value());
    }

    Optional<Listener> find(HeadId head, Transport transport, String traddr, int trsvcid) {
        return sql.first(
                SELECT + "where head_id = ? and transport = ? and traddr = ? and trsvcid = ?",
                ListenerRepository::read,
                head.value(),
                transport.name(),
                traddr,
                trsvcid);
    }

    List<Listener> ofHead(HeadId head) {
        return sql.list(SELECT + "where head_id = ? order by id", ListenerRepository::read, head.value());
    }

    List<Listener> page(UUID after, int rowsMax) {
        return sql.list(SELECT + "where id > ? order by id limit ?", ListenerRepository::read, after, rowsMax);
    }

    /** False when the head has such a listener already. Waits for a transaction that is just adding it. */
    boolean add(Listener listener) {
        return sql.update(
                        "insert into listener (id, head_id, transport, adrfam, traddr, trsvcid, version, created_at, updated_at)"
                                + " values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict on constraint listener_unique do nothing",
                        listener.id().value(),
                        listener.headId().value(),
                        listener.transport().name(),
                        listener.adrfam().name(),
                        listener.traddr(),
                        listener.trsvcid(),
                        listener.version(),
                        listener.createdAt(),
                        listener.createdAt())
                == 1;
    }

    void delete(ListenerId id) {
        sql.update("delete from listener where id = ?", id.value());
    }

    private static Listener read(ResultSet row) throws SQLException {
        return new Listener(
                new ListenerId(row.getObject("id", UUID.class)),
                new HeadId(row.getObject("head_id", UUID.class)),
                Transport.valueOf(row.getString("transport")),
                AddressFamily.valueOf(row.getString("adrfam")),
                row.getString("traddr"),
                row.getInt("trsvcid"),
                row.getLong("version"),
                Sql.instant(row, "created_at").orElseThrow());
    }
}
