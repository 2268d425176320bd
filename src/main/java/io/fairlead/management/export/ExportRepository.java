package io.fairlead.management.export;

import io.fairlead.core.ExportId;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.platform.database.Sql;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Rows of exports with their hosts, listeners and paths. Plain SQL: the rules are foreign keys, and lists are read whole. */
@Singleton
class ExportRepository {

    private static final String SELECT =
            "select id, name, subsystem_id, head_id, version, created_at, updated_at from export ";

    private final Sql sql;

    @Inject
    ExportRepository(Sql sql) {
        this.sql = sql;
    }

    Optional<Export> find(ExportId id) {
        return sql.first(SELECT + "where id = ?", ExportRepository::read, id.value());
    }

    /** Puts the changes to one export in order. */
    Optional<Export> lock(ExportId id) {
        return sql.first(SELECT + "where id = ? for no key update", ExportRepository::read, id.value());
    }

    Optional<Export> ofSubsystem(SubsystemId subsystem) {
        return sql.first(SELECT + "where subsystem_id = ?", ExportRepository::read, subsystem.value());
    }

    List<Export> ofHead(HeadId head) {
        return sql.list(SELECT + "where head_id = ? order by id", ExportRepository::read, head.value());
    }

    List<Export> ofHost(HostId host) {
        return sql.list(
                SELECT + "where id in (select export_id from export_host where host_id = ?) order by id",
                ExportRepository::read,
                host.value());
    }

    List<Export> page(UUID after, int rowsMax) {
        return sql.list(SELECT + "where id > ? order by id limit ?", ExportRepository::read, after, rowsMax);
    }

    void add(Export export) {
        sql.update(
                "insert into export (id, name, subsystem_id, head_id, version, created_at, updated_at)"
                        + " values (?, ?, ?, ?, ?, ?, ?)",
                export.id().value(),
                export.name(),
                export.subsystemId().value(),
                export.headId().value(),
                export.version(),
                export.createdAt(),
                export.updatedAt());
    }

    void touch(ExportId id, Instant now) {
        sql.update("update export set version = version + 1, updated_at = ? where id = ?", now, id.value());
    }

    /** Paths, hosts and listeners of the export go with it. */
    void delete(ExportId id) {
        sql.update("delete from export where id = ?", id.value());
    }

    void addListener(ExportId id, ListenerId listener) {
        sql.update("insert into export_listener (export_id, listener_id) values (?, ?)", id.value(), listener.value());
    }

    /** False when the host is let in already. Fails when the subsystem is open to any host: the foreign key holds the access. */
    boolean addHost(Export export, HostId host) {
        return sql.update(
                        "insert into export_host (export_id, host_id, subsystem_id, access) values (?, ?, ?, 'LISTED_HOSTS')"
                                + " on conflict (export_id, host_id) do nothing",
                        export.id().value(),
                        host.value(),
                        export.subsystemId().value())
                == 1;
    }

    boolean removeHost(ExportId id, HostId host) {
        return sql.update("delete from export_host where export_id = ? and host_id = ?", id.value(), host.value()) == 1;
    }

    void addPath(Export.Path path) {
        sql.update(
                "insert into export_path (id, export_id, host_id, listener_id) values (?, ?, ?, ?)",
                path.id().value(),
                path.exportId().value(),
                path.hostId().value(),
                path.listenerId().value());
    }

    /** Whether some export lets the host in on this head. */
    boolean isServed(HostId host, HeadId head) {
        return sql.first(
                        "select 1 from export_host eh join export e on e.id = eh.export_id"
                                + " where eh.host_id = ? and e.head_id = ? limit 1",
                        row -> true,
                        host.value(),
                        head.value())
                .isPresent();
    }

    Map<ExportId, List<HostId>> hostsOf(Collection<ExportId> exports) {
        record Row(ExportId export, HostId host) {}
        return sql
                .list(
                        "select export_id, host_id from export_host where export_id = any (?::uuid[])"
                                + " order by export_id, host_id",
                        row -> new Row(
                                new ExportId(row.getObject(1, UUID.class)), new HostId(row.getObject(2, UUID.class))),
                        (Object) array(exports))
                .stream()
                .collect(Collectors.groupingBy(Row::export, Collectors.mapping(Row::host, Collectors.toList())));
    }

    Map<ExportId, List<ListenerId>> listenersOf(Collection<ExportId> exports) {
        record Row(ExportId export, ListenerId listener) {}
        return sql
                .list(
                        "select export_id, listener_id from export_listener where export_id = any (?::uuid[])"
                                + " order by export_id, listener_id",
                        row -> new Row(
                                new ExportId(row.getObject(1, UUID.class)),
                                new ListenerId(row.getObject(2, UUID.class))),
                        (Object) array(exports))
                .stream()
                .collect(Collectors.groupingBy(Row::export, Collectors.mapping(Row::listener, Collectors.toList())));
    }

    Map<ExportId, List<Export.Path>> pathsOf(Collection<ExportId> exports) {
        return sql
                .list(
                        "select id, export_id, host_id, listener_id from export_path where export_id = any (?::uuid[])"
                                + " order by export_id, id",
                        row -> new Export.Path(
                                new PathId(row.getObject(1, UUID.class)),
                                new ExportId(row.getObject(2, UUID.class)),
                                new HostId(row.getObject(3, UUID.class)),
                                new ListenerId(row.getObject(4, UUID.class))),
                        (Object) array(exports))
                .stream()
                .collect(Collectors.groupingBy(Export.Path::exportId));
    }

    private static String[] array(Collection<ExportId> exports) {
        return exports.stream().map(ExportId::toString).toArray(String[]::new);
    }

    private static Export read(ResultSet row) throws SQLException {
        return new Export(
                new ExportId(row.getObject("id", UUID.class)),
                row.getString("name"),
                new SubsystemId(row.getObject("subsystem_id", UUID.class)),
                new HeadId(row.getObject("head_id", UUID.class)),
                row.getLong("version"),
                Sql.instant(row, "created_at").orElseThrow(),
                Sql.instant(row, "updated_at").orElseThrow());
    }
}
