package io.fairlead.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.simulated.SimulatedEngine;
import io.fairlead.worker.engine.simulated.StepHook;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * What holds for the plan between any two targets. Targets are drawn from a small set of ids, so that two of them share objects, differ
 * in some, and clash in NSIDs and ports. The simulated engine refuses a step that comes too early.
 */
class PlannerTest {

    private static final CntlidWindow CNTLIDS = new CntlidWindow(1, 100);
    // Always there and no regular file, so that the engine takes it for any size.
    private static final Path DEVICE = Path.of("/dev/zero");
    private static final long[] SIZES = {1 << 20, 2 << 20};

    @Provide
    Arbitrary<TargetSpec> targets() {
        return Arbitraries.longs().map(seed -> target(new Random(seed)));
    }

    @Property(tries = 500)
    void shouldReachAnyTargetFromAnyOther(@ForAll("targets") TargetSpec from, @ForAll("targets") TargetSpec to)
            throws EngineFault {
        SimulatedEngine engine = new SimulatedEngine(StepHook.NONE);
        apply(engine, from);

        apply(engine, to);

        assertThat(Planner.plan(to, engine.observe())).isEmpty();
        assertServes(engine.observe(), to);
    }

    @Property(tries = 500)
    void shouldGoOnAfterAStopAnywhere(
            @ForAll("targets") TargetSpec from, @ForAll("targets") TargetSpec to, @ForAll Random random)
            throws EngineFault {
        SimulatedEngine engine = new SimulatedEngine(StepHook.NONE);
        apply(engine, from);
        List<Step> steps = Planner.plan(to, engine.observe());
        for (Step step : steps.subList(0, random.nextInt(steps.size() + 1))) {
            engine.apply(step);
        }

        apply(engine, to);

        assertServes(engine.observe(), to);
    }

    @Property(tries = 500)
    void shouldNotTouchWhatStaysTheSame(@ForAll("targets") TargetSpec from, @ForAll("targets") TargetSpec to)
            throws EngineFault {
        SimulatedEngine engine = new SimulatedEngine(StepHook.NONE);
        apply(engine, from);
        ObservedTarget before = engine.observe();

        for (Step step : Planner.plan(to, before)) {
            switch (step) {
                case Step.PutHost put ->
                    assertThat(from.hosts().get(put.host().id())).isNotEqualTo(put.host());
                case Step.RemoveHost remove ->
                    assertThat(nqn(to, remove.host())).isNotEqualTo(Optional.of(remove.nqn()));
                case Step.PutSubsystem put ->
                    assertThat(Optional.ofNullable(from.subsystems()
                                            .get(put.subsystem().id()))
                                    .map(PlannerTest::attributes))
                            .isNotEqualTo(Optional.of(attributes(put.subsystem())));
                case Step.RemoveSubsystem remove ->
                    assertThat(Optional.ofNullable(to.subsystems().get(remove.subsystem()))
                                    .map(SubsystemSpec::nqn))
                            .isNotEqualTo(Optional.of(remove.nqn()));
                case Step.RemoveNamespace remove ->
                    assertThat(identity(to, remove.subsystem(), remove.namespace()))
                            .isNotEqualTo(identity(from, remove.subsystem(), remove.namespace()));
                case Step.AddNamespace add ->
                    assertThat(identity(from, add.subsystem(), add.namespace().id()))
                            .isNotEqualTo(identity(
                                    to, add.subsystem(), add.namespace().id()));
                case Step.ResizeNamespace resize -> {
                    long was = before.subsystems()
                            .get(resize.subsystem())
                            .namespaces()
                            .get(resize.namespace())
                            .sizeBytes();
                    assertThat(resize.sizeBytes()).isGreaterThan(was);
                }
                case Step.AddListener add ->
                    assertThat(from.listeners().get(add.listener().id())).isNotEqualTo(add.listener());
                case Step.RemoveListener remove ->
                    assertThat(to.listeners().get(remove.listener()))
                            .isNotEqualTo(from.listeners().get(remove.listener()));
                case Step.Unlink unlink ->
                    assertThat(mayStayLinked(from, to, unlink.subsystem(), unlink.listener()))
                            .isFalse();
                case Step.DisallowHost disallow ->
                    assertThat(mayStayAllowed(from, to, disallow.subsystem(), disallow.host()))
                            .isFalse();
                case Step.AllowHost _, Step.SetAnaState _, Step.Link _ -> {
                    // They only ever add.
                }
            }
        }
    }

    @Property(tries = 500)
    void shouldNeverLinkASubsystemWithoutANamespace(
            @ForAll("targets") TargetSpec from, @ForAll("targets") TargetSpec to) throws EngineFault {
        SimulatedEngine engine = new SimulatedEngine(StepHook.NONE);
        apply(engine, from);
        for (Step step : Planner.plan(to, engine.observe())) {
            engine.apply(step);
            for (ObservedSubsystem subsystem : engine.observe().subsystems().values()) {
                assertThat(subsystem.namespaces().isEmpty()
                                && !subsystem.listeners().isEmpty())
                        .as("%s after %s", subsystem, step.describe())
                        .isFalse();
            }
        }
    }

    @Property(tries = 200)
    void shouldMakeTheSamePlanFromTheSameInput(@ForAll("targets") TargetSpec from, @ForAll("targets") TargetSpec to)
            throws EngineFault {
        SimulatedEngine engine = new SimulatedEngine(StepHook.NONE);
        apply(engine, from);

        assertThat(Planner.plan(to, engine.observe())).isEqualTo(Planner.plan(to, engine.observe()));
    }

    private static void apply(SimulatedEngine engine, TargetSpec target) throws EngineFault {
        for (Step step : Planner.plan(target, engine.observe())) {
            engine.apply(step);
        }
    }

    private static void assertServes(ObservedTarget observed, TargetSpec target) {
        assertThat(observed.hosts().keySet()).isEqualTo(target.hosts().keySet());
        target.hosts()
                .forEach((id, host) ->
                        assertThat(observed.hosts().get(id).fingerprint()).isEqualTo(Fingerprints.of(host)));
        assertThat(observed.listeners().keySet()).isEqualTo(target.listeners().keySet());
        target.listeners()
                .forEach((id, listener) ->
                        assertThat(observed.listeners().get(id).trsvcid()).isEqualTo(listener.trsvcid()));
        assertThat(observed.subsystems().keySet()).isEqualTo(target.subsystems().keySet());
        target.subsystems().forEach((id, subsystem) -> {
            ObservedSubsystem present = observed.subsystems().get(id);
            assertThat(attributes(subsystem))
                    .isEqualTo(List.of(present.nqn(), present.serial(), present.model(), present.access()));
            assertThat(present.allowedHosts()).isEqualTo(subsystem.allowedHosts());
            assertThat(present.listeners())
                    .isEqualTo(subsystem.namespaces().isEmpty() ? Set.of() : subsystem.listeners());
            assertThat(present.namespaces().keySet())
                    .isEqualTo(subsystem.namespaces().keySet());
            subsystem.namespaces().forEach((namespace, wanted) -> {
                ObservedNamespace served = present.namespaces().get(namespace);
                assertThat(Planner.sameIdentity(wanted, served)).isTrue();
                // A namespace keeps what it had when less is asked for.
                assertThat(served.sizeBytes()).isGreaterThanOrEqualTo(wanted.sizeBytes());
            });
        });
    }

    private static List<Object> attributes(SubsystemSpec subsystem) {
        return List.of(subsystem.nqn(), subsystem.serial(), subsystem.model(), subsystem.access());
    }

    private static Optional<String> nqn(TargetSpec target, HostId host) {
        return Optional.ofNullable(target.hosts().get(host)).map(HostSpec::nqn);
    }

    /** The namespace without its size, and with the NQN of its subsystem: all that makes it the same to a host. */
    private static Optional<List<Object>> identity(TargetSpec target, SubsystemId subsystem, NamespaceId namespace) {
        return Optional.ofNullable(target.subsystems().get(subsystem))
                .flatMap(spec -> Optional.ofNullable(spec.namespaces().get(namespace))
                        .map(found -> List.of(spec.nqn(), found.nsid(), found.uuid(), found.deviceIdentity())));
    }

    private static boolean mayStayLinked(TargetSpec from, TargetSpec to, SubsystemId subsystem, ListenerId listener) {
        SubsystemSpec wanted = to.subsystems().get(subsystem);
        boolean keepsANamespace = from.subsystems().get(subsystem).namespaces().keySet().stream()
                .anyMatch(namespace -> identity(from, subsystem, namespace).equals(identity(to, subsystem, namespace)));
        return wanted != null
                && wanted.nqn().equals(from.subsystems().get(subsystem).nqn())
                && wanted.listeners().contains(listener)
                && from.listeners().get(listener).equals(to.listeners().get(listener))
                && keepsANamespace;
    }

    private static boolean mayStayAllowed(TargetSpec from, TargetSpec to, SubsystemId subsystem, HostId host) {
        SubsystemSpec wanted = to.subsystems().get(subsystem);
        return wanted != null
                && wanted.nqn().equals(from.subsystems().get(subsystem).nqn())
                && wanted.allowedHosts().contains(host)
                && nqn(from, host).equals(nqn(to, host));
    }

    private static TargetSpec target(Random random) {
        TargetSpecs specs = new TargetSpecs(1);
        Map<HostId, HostSpec> hosts = new HashMap<>();
        for (int number = 0; number < 3; number++) {
            if (random.nextInt(4) > 0) {
                HostId id = new HostId(new UUID(1, number));
                Optional<DesiredHost.Authentication> none = Optional.empty();
                String nqn = "nqn.2014-08.org.nvmexpress:host-" + number + (random.nextInt(6) == 0 ? "-renamed" : "");
                hosts.put(
                        id,
                        random.nextBoolean()
                                ? new HostSpec(id, nqn, new UUID(2, number), none)
                                : specs.host(id, nqn, new UUID(2, number), TargetSpecs.secret(random.nextInt(2))));
            }
        }
        Map<ListenerId, ListenerSpec> listeners = new HashMap<>();
        for (int number = 0; number < 3; number++) {
            if (random.nextInt(4) > 0) {
                ListenerId id = new ListenerId(new UUID(3, number));
                // A port may pass from one listener to another.
                int port = 4420 + (number + (random.nextInt(4) == 0 ? 1 : 0)) % 3;
                listeners.put(id, new ListenerSpec(id, Transport.TCP, AddressFamily.IPV4, "127.0.0.1", port));
            }
        }
        withoutClashes(listeners);
        Map<SubsystemId, SubsystemSpec> subsystems = new HashMap<>();
        for (int number = 0; number < 3; number++) {
            if (random.nextInt(4) > 0) {
                SubsystemSpec subsystem = subsystem(random, number, hosts.keySet(), listeners.keySet());
                subsystems.put(subsystem.id(), subsystem);
            }
        }
        return new TargetSpec(CNTLIDS, hosts, subsystems, listeners);
    }

    private static void withoutClashes(Map<ListenerId, ListenerSpec> listeners) {
        Set<Integer> ports = new HashSet<>();
        listeners.values().removeIf(listener -> !ports.add(listener.trsvcid()));
    }

    private static SubsystemSpec subsystem(Random random, int number, Set<HostId> hosts, Set<ListenerId> listeners) {
        Map<NamespaceId, NamespaceSpec> namespaces = new HashMap<>();
        int shift = random.nextInt(2);
        for (int index = 0; index < 3; index++) {
            if (random.nextInt(3) > 0) {
                NamespaceId id = new NamespaceId(new UUID(4, number * 10L + index));
                // An NSID may pass from one namespace to another.
                long nsid = 1 + (index + shift) % 3;
                namespaces.put(
                        id,
                        new NamespaceSpec(
                                id,
                                nsid,
                                new UUID(5, random.nextInt(8) == 0 ? 99 : index),
                                "0".repeat(31) + index,
                                "0".repeat(16),
                                SIZES[random.nextInt(2)],
                                512,
                                1,
                                DEVICE,
                                "volume." + number + index));
            }
        }
        boolean open = random.nextInt(4) == 0;
        return new SubsystemSpec(
                new SubsystemId(new UUID(6, number)),
                TargetSpecs.subsystemNqn(number + (random.nextInt(6) == 0 ? "-renamed" : "")),
                "SERIAL" + random.nextInt(2),
                "Fairlead",
                open ? Access.ANY_HOST : Access.LISTED_HOSTS,
                namespaces,
                open ? Set.of() : some(random, hosts),
                some(random, listeners));
    }

    private static <T> Set<T> some(Random random, Set<T> all) {
        Set<T> some = new HashSet<>(all);
        some.removeIf(item -> random.nextInt(3) == 0);
        return some;
    }
}
