package io.fairlead.management.head;

import io.fairlead.contract.ObjectState;
import io.fairlead.platform.database.Sql;
import io.fairlead.platform.database.SqlFailure;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Heads and what they say of their objects, as metrics: {@code fairlead_heads} by state and {@code fairlead_objects} by state. Counted every few
 * seconds with one statement each; a scrape reads the last counts and never waits for the database.
 */
@Singleton
public class HeadMeters {

    private static final Logger LOG = Logger.getLogger(HeadMeters.class);

    private final Sql sql;
    private final InstantSource clock;
    private final Map<HeadState, AtomicLong> heads = new EnumMap<>(HeadState.class);
    private final Map<ObjectState, AtomicLong> objects = new EnumMap<>(ObjectState.class);

    @Inject
    public HeadMeters(Sql sql, InstantSource clock, MeterRegistry registry) {
        this.sql = sql;
        this.clock = clock;
        for (HeadState state : HeadState.values()) {
            heads.put(state, registry.gauge("fairlead.heads", tag(state), new AtomicLong()));
        }
        for (ObjectState state : ObjectState.values()) {
            objects.put(state, registry.gauge("fairlead.objects", tag(state), new AtomicLong()));
        }
    }

    private static Iterable<io.micrometer.core.instrument.Tag> tag(Enum<?> state) {
        return io.micrometer.core.instrument.Tags.of("state", state.name().toLowerCase(Locale.ROOT));
    }

    @Scheduled(every = "5s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void count() {
        try {
            countHeads();
            countObjects();
        } catch (SqlFailure e) {
            // The last counts stand; the readiness check tells of the database.
            LOG.debug("the heads could not be counted", e);
        }
    }

    private void countHeads() {
        record Counts(long enrolled, long stale, long online) {}
        Counts counts = sql.first(
                        "select count(*) filter (where status.seen_at is null),"
                                + " count(*) filter (where status.seen_at < ?),"
                                + " count(*) filter (where status.seen_at >= ?)"
                                + " from head left join head_status status on status.head_id = head.id",
                        row -> new Counts(row.getLong(1), row.getLong(2), row.getLong(3)),
                        clock.instant().minus(HeadState.SILENCE_MAX),
                        clock.instant().minus(HeadState.SILENCE_MAX))
                .orElseThrow();
        heads.get(HeadState.ENROLLED).set(counts.enrolled());
        heads.get(HeadState.STALE).set(counts.stale());
        heads.get(HeadState.ONLINE).set(counts.online());
    }

    private void countObjects() {
        record Count(ObjectState state, long objects) {}
        Map<ObjectState, Long> counted = new EnumMap<>(ObjectState.class);
        sql.list(
                        "select state, count(*) from observed_object group by state",
                        row -> new Count(ObjectState.valueOf(row.getString(1)), row.getLong(2)))
                .forEach(count -> counted.put(count.state(), count.objects()));
        objects.forEach((state, gauge) -> gauge.set(counted.getOrDefault(state, 0L)));
    }

    /** The last count. */
    long heads(HeadState state) {
        return heads.get(state).get();
    }

    /** The last count. */
    long objects(ObjectState state) {
        return objects.get(state).get();
    }
}
