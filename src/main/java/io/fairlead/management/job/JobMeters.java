package io.fairlead.management.job;

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

/** Jobs as metrics: {@code fairlead_jobs} by state, counted every few seconds; a scrape never waits for the database. */
@Singleton
public class JobMeters {

    private static final Logger LOG = Logger.getLogger(JobMeters.class);

    private final Sql sql;
    private final Map<JobState, AtomicLong> jobs = new EnumMap<>(JobState.class);

    @Inject
    public JobMeters(Sql sql, MeterRegistry registry) {
        this.sql = sql;
        for (JobState state : JobState.values()) {
            jobs.put(
                    state,
                    registry.gauge(
                            "fairlead.jobs",
                            Tags.of("state", state.name().toLowerCase(Locale.ROOT)),
                            new AtomicLong()));
        }
    }

    @Scheduled(every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void count() {
        record Count(JobState state, long jobs) {}
        try {
            Map<JobState, Long> counted = new EnumMap<>(JobState.class);
            sql.list(
                            "select state, count(*) from job group by state",
                            row -> new Count(JobState.valueOf(row.getString(1)), row.getLong(2)))
                    .forEach(count -> counted.put(count.state(), count.jobs()));
            jobs.forEach((state, gauge) -> gauge.set(counted.getOrDefault(state, 0L)));
        } catch (SqlFailure e) {
            // The last counts stand; the readiness check tells of the database.
            LOG.debug("the jobs could not be counted", e);
        }
    }
}
