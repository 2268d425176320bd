package io.fairlead.worker.agent;

import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredPath;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.PathId;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.Reconciliation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Decides which paths have to be proven now and keeps what was found: a path is tried when something that it rests on has changed,
 * again after a while when it did not hold, and from time to time when it did.
 *
 * <p>{@link #proveDue} belongs to the proving thread; {@link #reports} may be asked by any, and never tells a proof of something that
 * has changed since.
 */
final class PathProofs {

    static final Duration PROVEN_FOR = Duration.ofSeconds(60);

    /** With many paths, or slow ones, looking again must not become the head's main work. */
    private static final int REST_PER_WORK = 20;

    private static final Duration FIRST_RETRY = Duration.ofMillis(250);
    private static final Duration LAST_RETRY = Duration.ofSeconds(10);

    private final PathProver prover;
    private final LongSupplier nanoClock;
    private final Map<PathId, Entry> entries = new ConcurrentHashMap<>();

    private record Entry(PathProver.ReadyPath basis, PathReport report, Duration took, long dueNanos, Duration retry) {}

    /** A desired path: either ready to be proven, or with the reason why not. */
    private record Candidate(DesiredPath path, Optional<PathProver.ReadyPath> ready, Optional<Reason> missing) {}

    PathProofs(PathProver prover, LongSupplier nanoClock) {
        this.prover = prover;
        this.nanoClock = nanoClock;
    }

    /** One report per desired path. */
    List<PathReport> reports(Reconciliation found) {
        return candidates(found).stream().map(this::report).toList();
    }

    private PathReport report(Candidate candidate) {
        PathId id = candidate.path().id();
        if (candidate.missing().isPresent()) {
            return new PathReport(id, PathReport.State.PENDING, candidate.missing(), Optional.empty());
        }
        Entry entry = entries.get(id);
        if (entry != null && entry.basis().equals(candidate.ready().orElseThrow())) {
            return entry.report();
        }
        Reason reason = new Reason("path.not_tried", "It is ready and is being tried.");
        return new PathReport(id, PathReport.State.PENDING, Optional.of(reason), Optional.empty());
    }

    /**
     * Proves what is due.
     *
     * @param afterEach called after each path that was tried
     * @return when the next path is due
     */
    Duration proveDue(Reconciliation found, Runnable afterEach) throws InterruptedException {
        List<Candidate> candidates = candidates(found);
        entries.keySet()
                .retainAll(candidates.stream()
                        .filter(candidate -> candidate.ready().isPresent())
                        .map(candidate -> candidate.path().id())
                        .toList());
        for (Candidate candidate : candidates) {
            if (candidate.ready().isPresent() && isDue(candidate.ready().get())) {
                prove(candidate.ready().get());
                afterEach.run();
            }
        }
        long now = nanoClock.getAsLong();
        return entries.values().stream()
                .map(entry -> Duration.ofNanos(Math.max(0, entry.dueNanos() - now)))
                .min(Duration::compareTo)
                .orElse(PROVEN_FOR);
    }

    private boolean isDue(PathProver.ReadyPath path) {
        Entry entry = entries.get(path.path().id());
        return entry == null || !entry.basis().equals(path) || nanoClock.getAsLong() - entry.dueNanos() >= 0;
    }

    private void prove(PathProver.ReadyPath path) throws InterruptedException {
        long began = nanoClock.getAsLong();
        PathReport report = prover.prove(path);
        Duration took = Duration.ofNanos(nanoClock.getAsLong() - began);
        boolean holds = report.state() == PathReport.State.PROVEN || report.state() == PathReport.State.UNPROVEN;
        Entry before = entries.get(path.path().id());
        Duration retry = FIRST_RETRY;
        if (!holds && before != null && before.basis().equals(path)) {
            Duration doubled = before.retry().multipliedBy(2);
            retry = doubled.compareTo(LAST_RETRY) < 0 ? doubled : LAST_RETRY;
        }
        long due = nanoClock.getAsLong() + (holds ? restAfter(path.path().id(), took) : retry).toNanos();
        entries.put(path.path().id(), new Entry(path, report, took, due, retry));
    }

    /** Until a path that holds is looked at again. */
    private Duration restAfter(PathId path, Duration took) {
        Duration all = entries.values().stream()
                .filter(entry -> !entry.basis().path().id().equals(path))
                .map(Entry::took)
                .reduce(took, Duration::plus);
        Duration rest = all.multipliedBy(REST_PER_WORK);
        return rest.compareTo(PROVEN_FOR) > 0 ? rest : PROVEN_FOR;
    }

    private static List<Candidate> candidates(Reconciliation found) {
        DesiredState desired = found.desired();
        Map<UUID, DesiredHost> hosts = new HashMap<>();
        desired.hosts().forEach(host -> hosts.put(host.id().value(), host));
        Map<UUID, DesiredSubsystem> subsystems = new HashMap<>();
        desired.subsystems().forEach(subsystem -> subsystems.put(subsystem.id().value(), subsystem));
        Map<UUID, ObjectReport> objects = new HashMap<>();
        found.objects().forEach(object -> objects.put(object.id(), object));

        List<Candidate> candidates = new ArrayList<>();
        for (DesiredPath path : desired.paths()) {
            DesiredHost host = hosts.get(path.hostId().value());
            DesiredSubsystem subsystem = subsystems.get(path.subsystemId().value());
            ObservedListener listener = found.observed().listeners().get(path.listenerId());
            Optional<Reason> missing = missing(path, host, subsystem, listener, objects);
            Optional<PathProver.ReadyPath> ready = missing.isPresent()
                    ? Optional.empty()
                    : Optional.of(new PathProver.ReadyPath(
                            path, host, alone(subsystem), listener.transport(), listener.traddr(), listener.trsvcid()));
            candidates.add(new Candidate(path, ready, missing));
        }
        return candidates;
    }

    /** Without the other hosts and listeners: what changes for them is no reason to prove this path again. */
    private static DesiredSubsystem alone(DesiredSubsystem subsystem) {
        return new DesiredSubsystem(
                subsystem.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                subsystem.access(),
                subsystem.namespaces(),
                List.of(),
                List.of());
    }

    private static Optional<Reason> missing(
            DesiredPath path,
            DesiredHost host,
            DesiredSubsystem subsystem,
            ObservedListener listener,
            Map<UUID, ObjectReport> objects) {
        if (host == null || subsystem == null) {
            return Optional.of(
                    new Reason("path.incomplete", "The desired state lacks the host or the subsystem of the path."));
        }
        Optional<Reason> missing = notReady(
                        ObjectKind.LISTENER, path.listenerId().value(), objects)
                .or(() -> notReady(ObjectKind.HOST, path.hostId().value(), objects))
                .or(() -> notReady(ObjectKind.SUBSYSTEM, path.subsystemId().value(), objects));
        for (DesiredNamespace namespace : subsystem.namespaces()) {
            missing = missing.or(
                    () -> notReady(ObjectKind.NAMESPACE, namespace.id().value(), objects));
        }
        return listener == null && missing.isEmpty()
                ? Optional.of(new Reason("path.listener_not_ready", "The listener does not listen."))
                : missing;
    }

    private static Optional<Reason> notReady(ObjectKind kind, UUID id, Map<UUID, ObjectReport> objects) {
        ObjectReport object = objects.get(id);
        if (object != null && object.state() == ObjectState.READY) {
            return Optional.empty();
        }
        String code = switch (kind) {
            case POOL -> "path.pool_not_ready";
            case VOLUME -> "path.volume_not_ready";
            case HOST -> "path.host_not_ready";
            case SUBSYSTEM -> "path.subsystem_not_ready";
            case NAMESPACE -> "path.namespace_not_ready";
            case LISTENER -> "path.listener_not_ready";
        };
        String text = object == null
                ? "It is not in the desired state."
                : object.reason().map(Reason::text).orElse("It is not ready.");
        return Optional.of(new Reason(code, text));
    }
}
