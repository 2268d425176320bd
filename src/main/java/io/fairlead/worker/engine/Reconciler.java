package io.fairlead.worker.engine;

import io.fairlead.contract.DesiredListener;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.Generation;
import io.fairlead.core.ListenerId;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.inventory.Drives;
import io.fairlead.worker.ledger.HeadMemory;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolProvider;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Makes the engine serve what the last accepted desired state says: observe, resolve, plan, apply, observe again, report. It takes no
 * input, so there is one code path for a new intent, a restart, a late device and a hand in the engine; activating it once more changes
 * nothing. One thread activates it, by timer and by nudge.
 *
 * <p>Without an accepted desired state it touches nothing: not knowing what shall be served is no reason to clear what is.
 */
public final class Reconciler {

    /** How often to look for drift when everything is as it shall be. */
    static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration FIRST_RETRY = Duration.ofMillis(250);
    private static final Duration LAST_RETRY = Duration.ofSeconds(4);

    private final Supplier<Optional<DesiredState>> intent;
    private final HeadMemory memory;
    private final Map<String, Pool> pools;
    private final PoolProvider provider;
    private final Drives drives;
    private final TargetEngine engine;
    private final InstantSource clock;

    private Generation lastGeneration = Generation.NONE;
    private Map<ObjectRef, ObjectState> lastStates = Map.of();
    private final Map<StepKey, StepReport> told = new HashMap<>();
    private Duration retry = FIRST_RETRY;
    private long driftCount;

    /**
     * Makes a reconciler; nothing happens before {@link #activate()}.
     *
     * @param intent the last accepted desired state
     * @param pools of the command line, by the name under which the head reports them
     * @param provider of the pools on drives that the desired state asks for
     */
    public Reconciler(
            Supplier<Optional<DesiredState>> intent,
            HeadMemory memory,
            Map<String, Pool> pools,
            PoolProvider provider,
            Drives drives,
            TargetEngine engine,
            InstantSource clock) {
        this.intent = intent;
        this.memory = memory;
        this.pools = Map.copyOf(pools);
        this.provider = provider;
        this.drives = drives;
        this.engine = engine;
        this.clock = clock;
    }

    /** One pass; empty when no desired state was ever accepted. */
    public Optional<Reconciliation> activate() {
        return intent.get().map(this::pass);
    }

    private Reconciliation pass(DesiredState desired) {
        boolean sameIntent = desired.generation().equals(lastGeneration);
        if (!sameIntent) {
            retry = FIRST_RETRY;
        }
        Conditions conditions = new Conditions();
        HeadMemory.Facts facts = memory.recall();
        DrivePools drivePools = new DrivePools(provider, pools, drives, facts);
        drivePools.ensure(desired);
        // A drive is remembered as a pool's before the pool writes to it.
        facts = remember(facts, drivePools.remembered(facts));
        ObservedTarget before = engine.observe();
        Instant seenAt = clock.instant();
        SpecResolution resolution = new SpecResolution(desired, before, drivePools, drives, facts, conditions);
        TargetSpec spec = resolution.resolve();
        // A drive is remembered as ours before any host can write to it.
        facts = remember(facts, facts.withClaims(resolution.claims()));

        List<Step> plan = Planner.plan(spec, before);
        StepRun run = new StepRun(
                engine, clock, desired.generation(), before, conditions, step -> sameIntent && isDrift(step));
        List<StepReport> steps = run.run(plan);
        List<Step> drifted = sameIntent ? plan.stream().filter(this::isDrift).toList() : List.of();
        driftCount += drifted.size();

        ObservedTarget after = plan.isEmpty() ? before : engine.observe();
        List<DriftReport> drift = drifted.isEmpty()
                ? List.of()
                : new Drift(spec, before).report(drifted, steps, Set.copyOf(Planner.plan(spec, after)), seenAt);
        Set<VolumeId> removed = new HashSet<>();
        List<ObjectReport> objects = new ArrayList<>();
        for (DesiredVolume volume : desired.volumes()) {
            VolumeStatus status = resolution.volumes().get(volume.id());
            objects.add(volumeReport(volume, status, after, drivePools, conditions, removed));
        }
        drivePools.report(desired, removed, objects);
        objects.addAll(ObjectReports.of(desired, after, conditions));
        remember(
                facts,
                drivePools.remembered(
                        facts.withServed(ports(desired, after, facts), volumes(facts, resolution.volumes(), removed))));
        return result(desired, after, objects, steps, drift);
    }

    private Reconciliation result(
            DesiredState desired,
            ObservedTarget after,
            List<ObjectReport> objects,
            List<StepReport> steps,
            List<DriftReport> drift) {
        if (!desired.generation().equals(lastGeneration)) {
            told.clear();
        }
        List<StepReport> news = steps.stream().filter(this::isNews).toList();
        lastGeneration = desired.generation();
        Map<ObjectRef, ObjectState> states = new HashMap<>();
        objects.forEach(report -> states.put(new ObjectRef(report.kind(), report.id()), report.state()));
        lastStates = states;
        boolean settled =
                states.values().stream().allMatch(state -> state == ObjectState.READY || state == ObjectState.ABSENT);
        Duration untilNext = settled ? LOOK_INTERVAL : retry;
        retry = settled ? FIRST_RETRY : shorter(retry.multipliedBy(2), LAST_RETRY);
        return new Reconciliation(desired, after, objects, news, drift, untilNext, driftCount);
    }

    /** A retry that ends as the one before it tells nothing new. */
    private boolean isNews(StepReport step) {
        StepReport earlier = told.put(new StepKey(step.id(), step.name()), step);
        return earlier == null
                || step.outcome() == StepReport.Outcome.DONE
                || earlier.outcome() != step.outcome()
                || !earlier.reason().map(Reason::code).equals(step.reason().map(Reason::code));
    }

    /** What makes two steps of one generation the same. */
    private record StepKey(UUID object, String name) {}

    /** The object was as desired, the desired state has not changed, and yet there is something to do. */
    private boolean isDrift(Step step) {
        ObjectState last = lastStates.get(ObjectRef.of(step));
        return last == null || last == ObjectState.READY;
    }

    private static ObjectReport volumeReport(
            DesiredVolume volume,
            VolumeStatus status,
            ObservedTarget after,
            DrivePools drivePools,
            Conditions conditions,
            Set<VolumeId> removed) {
        return switch (volume.presence()) {
            case PRESENT -> present(volume, status, conditions);
            case ABSENT -> remove(volume, after, drivePools, removed);
        };
    }

    private static ObjectReport present(DesiredVolume volume, VolumeStatus status, Conditions conditions) {
        Map<String, String> facts = switch (status) {
            case null -> Map.of();
            case VolumeStatus.Ready ready ->
                Map.of(
                        "sizeBytes", Long.toString(ready.sizeBytes()),
                        "device", ready.device().toString());
            case VolumeStatus.Growing growing ->
                Map.of("sizeBytes", Long.toString(growing.present().sizeBytes()));
            case VolumeStatus.Allocating allocating -> Map.of("allocatedBytes", Long.toString(allocating.doneBytes()));
        };
        ObjectRef object = ObjectRef.of(volume.id());
        return conditions
                .of(object)
                .map(condition -> new ObjectReport(
                        object.kind(), object.id(), condition.state(), Optional.of(condition.reason()), facts))
                .orElseGet(
                        () -> new ObjectReport(object.kind(), object.id(), ObjectState.READY, Optional.empty(), facts));
    }

    private static ObjectReport remove(
            DesiredVolume volume, ObservedTarget after, DrivePools drivePools, Set<VolumeId> removed) {
        Condition condition = whyNotRemoved(volume, after, drivePools);
        ObjectRef object = ObjectRef.of(volume.id());
        if (condition == null) {
            removed.add(volume.id());
            return new ObjectReport(object.kind(), object.id(), ObjectState.ABSENT, Optional.empty(), Map.of());
        }
        return new ObjectReport(
                object.kind(), object.id(), ObjectState.REMOVING, Optional.of(condition.reason()), Map.of());
    }

    /** Removes the volume, or says why it is still there: null when it has gone. */
    private static Condition whyNotRemoved(DesiredVolume volume, ObservedTarget after, DrivePools drivePools) {
        String device = SpecResolution.deviceIdentity(volume.id());
        boolean attached = after.subsystems().values().stream()
                .flatMap(subsystem -> subsystem.namespaces().values().stream())
                .anyMatch(namespace -> namespace.deviceIdentity().equals(device));
        if (attached) {
            return Condition.waiting("volume.attached", "A namespace still uses the volume.");
        }
        try {
            drivePools.require(volume).remove(volume.id());
            return null;
        } catch (VolumeFault e) {
            return Condition.of(e);
        }
    }

    private static Map<ListenerId, Integer> ports(DesiredState desired, ObservedTarget after, HeadMemory.Facts facts) {
        Map<ListenerId, Integer> ports = new HashMap<>();
        for (DesiredListener listener : desired.listeners()) {
            if (listener.trsvcid() == 0) {
                Integer port = Optional.ofNullable(after.listeners().get(listener.id()))
                        .map(ObservedTarget.ObservedListener::trsvcid)
                        .orElse(facts.ports().get(listener.id()));
                if (port != null) {
                    ports.put(listener.id(), port);
                }
            }
        }
        return ports;
    }

    private static Set<VolumeId> volumes(
            HeadMemory.Facts facts, Map<VolumeId, VolumeStatus> statuses, Set<VolumeId> removed) {
        Set<VolumeId> volumes = new HashSet<>(facts.volumes());
        statuses.forEach((id, status) -> {
            if (status instanceof VolumeStatus.Ready) {
                volumes.add(id);
            }
        });
        volumes.removeAll(removed);
        return volumes;
    }

    private HeadMemory.Facts remember(HeadMemory.Facts before, HeadMemory.Facts after) {
        if (!after.equals(before)) {
            memory.remember(after);
        }
        return after;
    }

    private static Duration shorter(Duration left, Duration right) {
        return left.compareTo(right) <= 0 ? left : right;
    }
}
