package io.fairlead.management.drive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveReport;
import io.fairlead.core.DriveId;
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

/** Rows of drives. */
@Singleton
class DriveRepository {

    private static final TypeReference<List<DriveReport.InUseReason>> REASONS = new TypeReference<>() {};
    private static final String SELECT = "select id, head_id, identity, kind, device_name, model, serial, size_bytes,"
            + " lba_bytes, rotation, in_use, firmware, health, state, since from drive ";

    private final Sql sql;

    @Inject
    DriveRepository(Sql sql) {
        this.sql = sql;
    }

    Optional<Drive> find(DriveId id) {
        return sql.first(SELECT + "where id = ?", DriveRepository::read, id.value());
    }

    List<Drive> ofHead(HeadId head) {
        return sql.list(SELECT + "where head_id = ? order by id", DriveRepository::read, head.value());
    }

    List<Drive> page(Optional<HeadId> head, Optional<AlarmFilter> alarm, UUID after, int rowsMax) {
        UUID only = head.map(HeadId::value).orElse(null);
        String[] severities = alarm.map(AlarmFilter::severities).orElse(null);
        return sql.list(
                SELECT + "where id > ? and (?::uuid is null or head_id = ?::uuid)"
                        + " and (?::text[] is null or worst_alarm = any(?::text[])) order by id limit ?",
                DriveRepository::read,
                after,
                only,
                only,
                severities,
                severities,
                rowsMax);
    }

    /** Adds the drive, or brings the row of its identity up to date; its id stays. */
    void put(Drive drive) {
        sql.update(
                "insert into drive as d (id, head_id, identity, kind, device_name, model, serial, size_bytes, lba_bytes, rotation,"
                        + " in_use, firmware, health, worst_alarm, state, created_at, since)"
                        + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?::jsonb, ?, ?, ?, ?)"
                        + " on conflict on constraint drive_identity_unique do update set kind = excluded.kind,"
                        + " device_name = excluded.device_name, model = excluded.model, serial = excluded.serial,"
                        + " size_bytes = excluded.size_bytes, lba_bytes = excluded.lba_bytes, rotation = excluded.rotation,"
                        + " in_use = excluded.in_use, firmware = excluded.firmware, health = excluded.health,"
                        + " worst_alarm = excluded.worst_alarm, state = excluded.state,"
                        + " since = case when d.state <> excluded.state then excluded.since else d.since end",
                drive.id().value(),
                drive.headId().value(),
                drive.identity(),
                drive.kind(),
                drive.deviceName(),
                drive.model(),
                drive.serial(),
                drive.sizeBytes(),
                drive.lbaBytes(),
                drive.rotation().name(),
                json(drive.inUse()),
                drive.firmware().orElse(null),
                drive.health().map(DriveRepository::json).orElse(null),
                drive.health().flatMap(DriveHealth::worst).map(Enum::name).orElse(null),
                drive.state().name(),
                drive.since(),
                drive.since());
    }

    /** What was known of it stays; its alarms are over, as nobody can act on them. */
    void missing(DriveId id, Instant since) {
        sql.update(
                "update drive set state = ?, since = ?, worst_alarm = null where id = ? and state <> ?",
                DriveState.MISSING.name(),
                since,
                id.value(),
                DriveState.MISSING.name());
    }

    private static Drive read(ResultSet row) throws SQLException {
        return new Drive(
                new DriveId(row.getObject("id", UUID.class)),
                new HeadId(row.getObject("head_id", UUID.class)),
                row.getString("identity"),
                row.getString("kind"),
                row.getString("device_name"),
                row.getString("model"),
                row.getString("serial"),
                row.getLong("size_bytes"),
                row.getInt("lba_bytes"),
                DriveReport.Rotation.valueOf(row.getString("rotation")),
                reasons(row.getString("in_use")),
                Optional.ofNullable(row.getString("firmware")),
                Optional.ofNullable(row.getString("health")).map(DriveRepository::health),
                DriveState.valueOf(row.getString("state")),
                Sql.instant(row, "since").orElseThrow());
    }

    private static String json(Object reported) {
        try {
            return ContractJson.mapper().writeValueAsString(reported);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report that cannot be written", e);
        }
    }

    private static List<DriveReport.InUseReason> reasons(String text) {
        try {
            return ContractJson.mapper().readValue(text, REASONS);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored reasons that cannot be read", e);
        }
    }

    private static DriveHealth health(String text) {
        try {
            return ContractJson.mapper().readValue(text, DriveHealth.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored health that cannot be read", e);
        }
    }
}
