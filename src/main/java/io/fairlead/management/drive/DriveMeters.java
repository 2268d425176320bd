package io.fairlead.management.drive;

import io.fairlead.contract.DriveHealth.Severity;
import io.fairlead.platform.database.Sql;
import io.fairlead.platform.database.SqlFailure;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.scheduler.Scheduled;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Alarms of the drives that are there, as a metric: {@code fairlead_drive_alarms} by severity, counted every few seconds; a scrape never
 * waits for the database.
 */
@Singleton
public class DriveMeters {

    private static final Logger LOG = Logger.getLogger(DriveMeters.class);

    private final Sql sql;
    private final Map<Severity, AtomicLong> alarms = new EnumMap<>(Severity.class);

    @Inject
    public DriveMeters(Sql sql, MeterRegistry registry) {
        this.sql = sql;
        for (Severity severity : Severity.values()) {
            alarms.put(
                    severity,
                    registry.gauge(
                            "fairlead.drive.alarms",
                            Tags.of("severity", severity.name().toLowerCase(Locale.ROOT)),
                            new AtomicLong()));
        }
    }

    @Scheduled(every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void count() {
        record Count(Severity severity, long alarms) {}
        try {
            Map<Severity, Long> counted = new EnumMap<>(Severity.class);
            sql.list(
                            "select alarm->>'severity', count(*) from drive, jsonb_array_elements(health->'alarms') alarm"
                                    + " where worst_alarm is not null group by 1",
                            row -> new Count(Severity.valueOf(row.getString(1)), row.getLong(2)))
                    .forEach(count -> counted.put(count.severity(), count.alarms()));
            alarms.forEach((severity, gauge) -> gauge.set(counted.getOrDefault(severity, 0L)));
        } catch (SqlFailure e) {
            // The last counts stand; the readiness check tells of the database.
            LOG.debug("the alarms of drives could not be counted", e);
        }
    }
}
