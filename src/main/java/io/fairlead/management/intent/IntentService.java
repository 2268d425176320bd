package io.fairlead.management.intent;

import io.fairlead.contract.DesiredState;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.management.export.DesiredExports;
import io.fairlead.management.head.Head;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.head.Listener;
import io.fairlead.management.head.ListenerService;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.platform.database.Notifications;
import io.fairlead.platform.database.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Puts the desired state of a head together, and waits for a newer one. */
@Singleton
class IntentService {

    /** A wake-up can be lost with the database's connection; then a waiting poll looks by itself. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);

    private final HeadService heads;
    private final ListenerService listeners;
    private final VolumeService volumes;
    private final DesiredExports exports;
    private final Notifications notifications;
    private final Sql sql;

    @Inject
    IntentService(
            HeadService heads,
            ListenerService listeners,
            VolumeService volumes,
            DesiredExports exports,
            Notifications notifications,
            Sql sql) {
        this.heads = heads;
        this.listeners = listeners;
        this.volumes = volumes;
        this.exports = exports;
        this.notifications = notifications;
        this.sql = sql;
    }

    /** The desired state, as soon as it is newer than {@code after}; empty when it is not within {@code patience}. */
    Optional<DesiredState> await(HeadId head, Generation after, Duration patience) throws InterruptedException {
        Semaphore changed = new Semaphore(0);
        long giveUp = System.nanoTime() + patience.toNanos();
        try (Notifications.Subscription subscription =
                notifications.subscribe(HeadService.topic(head), changed::release)) {
            while (true) {
                if (heads.generation(head).isAfter(after)) {
                    return Optional.of(desired(head));
                }
                long left = giveUp - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                if (changed.tryAcquire(Math.min(left, LOOK_INTERVAL.toNanos()), TimeUnit.NANOSECONDS)) {
                    changed.drainPermits();
                }
            }
        }
    }

    /** All that the head shall serve, with the generation that it is, from one snapshot. */
    DesiredState desired(HeadId id) {
        return QuarkusTransaction.requiringNew().call(() -> {
            sql.update("set transaction isolation level repeatable read, read only");
            Head head = heads.get(id);
            DesiredExports.Part served = exports.of(id);
            return new DesiredState(
                    DesiredState.SCHEMA,
                    id,
                    head.generation(),
                    head.cntlids(),
                    volumes.desired(id),
                    served.hosts(),
                    served.subsystems(),
                    listeners.ofHead(id).stream().map(Listener::desired).toList(),
                    served.paths(),
                    Optional.empty(),
                    Optional.empty());
        });
    }
}
