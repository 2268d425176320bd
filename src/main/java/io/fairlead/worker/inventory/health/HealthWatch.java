package io.fairlead.worker.inventory.health;

import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveHealth.Alarm;
import io.fairlead.contract.DriveHealth.Reading;
import io.fairlead.contract.DriveHealth.Severity;
import io.fairlead.contract.Reason;
import io.fairlead.nvme.spec.IdentifyCns;
import io.fairlead.nvme.spec.LogPageId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Remembers what each drive said of its health, and asks again from time to time. Thread-safe, and no method waits for a drive: each
 * question has a thread of its own, a drive that owes an answer is asked nothing more, and when it stays silent for long that is told.
 */
public final class HealthWatch {

    static final Duration READ_EVERY = Duration.ofMinutes(1);
    static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    private final AdminQueue.Opener opener;
    private final Executor threads;
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Map<String, Entry> entries = new HashMap<>();
    /** Stays when a drive goes: it may come back, with its counter grown. */
    private final Map<String, Long> mediaErrorsBefore = new HashMap<>();

    /**
     * A drive as it is now.
     *
     * @param kind as {@link io.fairlead.contract.DriveReport} tells it
     * @param deviceName the block device's
     */
    public record Subject(String identity, String kind, String deviceName, String serial) {}

    /** A question that is out. */
    private record Question(Subject subject, long askedNanos, Instant askedAt) {}

    /** What is known of a drive; replaced, never changed. */
    private record Entry(Subject subject, DriveHealth health, Optional<Question> question, long dueNanos) {
        Entry with(DriveHealth next) {
            return new Entry(subject, next, question, dueNanos);
        }
    }

    /**
     * Makes a watch that knows nothing yet.
     *
     * @param threads runs a question; a thread that hangs must not keep others
     */
    public HealthWatch(AdminQueue.Opener opener, Executor threads, InstantSource clock, LongSupplier nanoClock) {
        this.opener = opener;
        this.threads = threads;
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    /** What is known of the drive. */
    public synchronized DriveHealth of(Subject subject) {
        Entry entry = entries.get(subject.identity());
        if (entry != null && entry.subject().equals(subject)) {
            return entry.health();
        }
        return unknown(whyNever(subject)
                .orElseGet(() -> new Reason("drive.health_not_read", "The drive's health is being read.")));
    }

    /**
     * Asks each drive whose time has come, and notes which stay silent.
     *
     * @param present all drives that are there now
     * @param onNews called when alarms or problems of a drive have changed, from whatever thread
     */
    public void look(Collection<Subject> present, Runnable onNews) {
        Map<String, Subject> subjects = present.stream()
                .filter(subject -> whyNever(subject).isEmpty())
                .collect(Collectors.toMap(Subject::identity, subject -> subject, (first, second) -> first));
        Map<Subject, Question> due = new HashMap<>();
        boolean isNews = false;
        synchronized (this) {
            long now = nanoClock.getAsLong();
            entries.values()
                    .removeIf(entry ->
                            !entry.subject().equals(subjects.get(entry.subject().identity())));
            for (Subject subject : subjects.values()) {
                Entry entry = entries.computeIfAbsent(
                        subject.identity(), identity -> new Entry(subject, of(subject), Optional.empty(), now));
                if (entry.question().isPresent()) {
                    isNews |= noteSilence(entry, entry.question().get(), now);
                } else if (now - entry.dueNanos() >= 0) {
                    Question question = new Question(subject, now, clock.instant());
                    entries.put(
                            subject.identity(),
                            new Entry(subject, entry.health(), Optional.of(question), entry.dueNanos()));
                    due.put(subject, question);
                }
            }
        }
        if (isNews) {
            onNews.run();
        }
        due.forEach((subject, question) -> threads.execute(() -> ask(subject, question, onNews)));
    }

    private static Optional<Reason> whyNever(Subject subject) {
        return switch (subject.kind()) {
            case "nvme" -> Optional.empty();
            case "file" -> Optional.of(new Reason("drive.health_not_nvme", "A file has no health of its own."));
            default ->
                Optional.of(new Reason(
                        "drive.health_not_nvme",
                        "The worker reads the health of NVMe drives only, and this is " + subject.kind() + "."));
        };
    }

    private boolean noteSilence(Entry entry, Question question, long now) {
        if (now - question.askedNanos() < SILENCE_MAX.toNanos()) {
            return false;
        }
        String text = "The drive has not answered since " + question.askedAt()
                + ". What is read from it may hang too; look at the kernel's log, and reseat or replace the drive.";
        Reason reason = new Reason("drive.health_not_answering", text);
        if (entry.health().problem().filter(reason::equals).isPresent()) {
            return false;
        }
        List<Alarm> alarms = new ArrayList<>();
        alarms.add(new Alarm("drive.not_answering", Severity.CRITICAL, text));
        alarms.addAll(entry.health().alarms());
        entries.put(
                entry.subject().identity(),
                entry.with(new DriveHealth(entry.health().reading(), alarms, Optional.of(reason))));
        return true;
    }

    private void ask(Subject subject, Question question, Runnable onNews) {
        DriveHealth health;
        try (AdminQueue queue = opener.open(subject.deviceName())) {
            ControllerIdentity identity = ControllerIdentity.of(queue.identify(IdentifyCns.CONTROLLER));
            if (!subject.serial().isEmpty() && !subject.serial().equals(identity.serial())) {
                throw HealthFault.of("drive.health_gone", "Another drive has taken its name.");
            }
            SmartLog log = SmartLog.of(queue.getLogPage(LogPageId.SMART_HEALTH, SmartLog.BYTES));
            health = known(subject, identity, log);
        } catch (HealthFault e) {
            health = failed(subject, e.reason());
        } catch (RuntimeException e) {
            health = failed(subject, new Reason("drive.health_unavailable", "Reading the drive's health failed: " + e));
        }
        if (answered(subject, question, health)) {
            onNews.run();
        }
    }

    private synchronized DriveHealth known(Subject subject, ControllerIdentity identity, SmartLog log) {
        long before = mediaErrorsBefore.computeIfAbsent(subject.identity(), unseen -> log.mediaErrors());
        Reading reading = new Reading(
                clock.instant(),
                log.temperatureCelsius(),
                log.availableSparePercent(),
                log.spareThresholdPercent(),
                log.percentageUsed(),
                log.dataReadBytes(),
                log.dataWrittenBytes(),
                log.powerOnHours(),
                log.unsafeShutdowns(),
                log.mediaErrors(),
                log.errorLogEntries());
        return new DriveHealth(Optional.of(reading), Alarms.of(log, identity, before), Optional.empty());
    }

    /** What was read before stays, with its time; that the drive was silent is over. */
    private synchronized DriveHealth failed(Subject subject, Reason reason) {
        Entry entry = entries.get(subject.identity());
        if (entry == null || !entry.subject().equals(subject)) {
            return unknown(reason);
        }
        List<Alarm> alarms = entry.health().alarms().stream()
                .filter(alarm -> !alarm.code().equals("drive.not_answering"))
                .toList();
        return new DriveHealth(entry.health().reading(), alarms, Optional.of(reason));
    }

    /** Takes the answer, unless the drive has gone since it was asked; whether there is something new in it. */
    private synchronized boolean answered(Subject subject, Question question, DriveHealth health) {
        Entry entry = entries.get(subject.identity());
        if (entry == null || entry.question().filter(question::equals).isEmpty()) {
            return false;
        }
        long due = nanoClock.getAsLong() + READ_EVERY.toNanos();
        entries.put(subject.identity(), new Entry(subject, health, Optional.empty(), due));
        boolean isFirst = entry.health().reading().isEmpty() && health.reading().isPresent();
        return isFirst
                || !entry.health().alarms().equals(health.alarms())
                || !entry.health().problem().equals(health.problem());
    }

    private static DriveHealth unknown(Reason reason) {
        return new DriveHealth(Optional.empty(), List.of(), Optional.of(reason));
    }
}
