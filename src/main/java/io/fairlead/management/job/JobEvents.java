package io.fairlead.management.job;

import io.fairlead.core.JobId;
import io.fairlead.platform.database.Notifications;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A job's view on each of its changes, until it has ended. Thread: one virtual thread per follower. */
@Singleton
class JobEvents {

    /** A wake-up can be lost with the database's connection; then the follower looks by itself. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);

    private final JobService jobs;
    private final Notifications notifications;

    @Inject
    JobEvents(JobService jobs, Notifications notifications) {
        this.jobs = jobs;
        this.notifications = notifications;
    }

    Multi<JobView> of(JobId id) {
        return Multi.createFrom()
                .emitter(emitter -> Thread.ofVirtual().name("job-events-" + id).start(() -> follow(id, emitter)));
    }

    private void follow(JobId id, MultiEmitter<? super JobView> emitter) {
        Semaphore changed = new Semaphore(0);
        try (Notifications.Subscription subscription =
                notifications.subscribe(JobService.topic(id), changed::release)) {
            JobView last = null;
            while (!emitter.isCancelled()) {
                JobView view = jobs.get(id);
                if (!view.equals(last)) {
                    emitter.emit(view);
                    last = view;
                }
                if (view.state() != JobState.RUNNING) {
                    emitter.complete();
                    return;
                }
                if (changed.tryAcquire(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                    changed.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            emitter.complete();
        } catch (RuntimeException e) {
            // The follower's connection ends; it asks again.
            emitter.fail(e);
        }
    }
}
