package io.fairlead.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.contract.Reason;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every engine owes the reconciler. One subclass per engine; each test starts with an engine that serves nothing. */
public abstract class TargetEngineContract {

    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    protected Path directory;

    private final TargetSpecs specs = new TargetSpecs(17);
    private TargetEngine engine;

    /** Opens the engine under test; {@link TargetEngine#close()} follows each test. */
    protected abstract TargetEngine open() throws Exception;

    @BeforeEach
    void openEngine() throws Exception {
        engine = open();
    }

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    @Test
    void shouldServeNothingAtFirst() {
        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);
        assertThat(engine.takeRefusals()).isEmpty();
    }

    @Test
    void shouldSayWhatItIs() {
        assertThat(engine.name()).isNotBlank();
        assertThat(engine.version()).isNotBlank();
        assertThat(engine.capabilities()).contains(Capability.TRANSPORT_TCP);
    }

    @Test
    void shouldServeExactlyTheIdentityItWasTold() throws Exception {
        TargetSpec target = target(listener(0), subsystem("a", 2));

        converge(target);

        ObservedTarget observed = engine.observe();
        SubsystemSpec wanted = only(target);
        ObservedSubsystem present = observed.subsystems().get(wanted.id());
        assertThat(present.nqn()).isEqualTo(wanted.nqn());
        assertThat(present.serial()).isEqualTo(wanted.serial());
        assertThat(present.model()).isEqualTo(wanted.model());
        assertThat(present.access()).isEqualTo(wanted.access());
        assertThat(present.allowedHosts()).isEqualTo(wanted.allowedHosts());
        assertThat(present.listeners()).isEqualTo(wanted.listeners());
        assertThat(present.namespaces()).hasSize(2);
        wanted.namespaces()
                .forEach((id, namespace) ->
                        assertThat(present.namespaces().get(id)).isEqualTo(observedOf(namespace)));
        target.hosts()
                .forEach((id, host) ->
                        assertThat(observed.hosts().get(id).fingerprint()).isEqualTo(Fingerprints.of(host)));
    }

    @Test
    void shouldNeedNoStepAfterConverging() throws Exception {
        TargetSpec target = target(listener(0), subsystem("a", 2), subsystem("b", 1));

        converge(target);

        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldBeTheSameAfterEachStepDoneTwice() throws Exception {
        TargetSpec target = target(listener(0), subsystem("a", 2));
        for (Step step : Planner.plan(target, ObservedTarget.EMPTY)) {
            engine.apply(step);
            ObservedTarget once = engine.observe();
            engine.apply(step);
            assertThat(engine.observe()).as(step.describe()).isEqualTo(once);
        }
        for (Step step : Planner.plan(specs.nothing(), engine.observe())) {
            engine.apply(step);
            ObservedTarget once = engine.observe();
            engine.apply(step);
            assertThat(engine.observe()).as(step.describe()).isEqualTo(once);
        }
    }

    @Test
    void shouldRemoveEverythingInTheReverseOrder() throws Exception {
        converge(target(listener(0), subsystem("a", 2), subsystem("b", 1)));

        converge(specs.nothing());

        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);
    }

    @Test
    void shouldNotRemoveWhatIsNotNamed() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec stays = subsystem("stays", 1);
        SubsystemSpec goes = subsystem("goes", 1);
        converge(target(listener, stays, goes));
        ObservedSubsystem before =
                engine.observe().subsystems().get(linked(stays, listener).id());

        converge(target(listener, stays));

        assertThat(engine.observe().subsystems()).hasSize(1).containsEntry(before.id(), before);
    }

    @Test
    void shouldReportTheBoundPortOfAListenerAtPortZeroAndKeepIt() throws Exception {
        ListenerSpec listener = listener(0);

        engine.apply(new Step.AddListener(listener));
        int port = engine.observe().listeners().get(listener.id()).trsvcid();
        engine.apply(new Step.AddListener(listener));

        assertThat(port).isPositive();
        assertThat(engine.observe().listeners().get(listener.id()).trsvcid()).isEqualTo(port);
        engine.apply(new Step.AddListener(specs.listener(listener.id(), listener.traddr(), port)));
        assertThat(engine.observe().listeners().get(listener.id()).trsvcid()).isEqualTo(port);
    }

    @Test
    void shouldServeFromTheFirstMomentWhatANewListenerIsToldToServe() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec first = linked(subsystem("first", 1), listener);
        SubsystemSpec second = linked(subsystem("second", 2), listener);
        List<Step> steps = Planner.plan(target(listener, first, second), engine.observe());

        // As far as the listener, and not as far as the links.
        for (Step step : steps) {
            if (!(step instanceof Step.Link)) {
                engine.apply(step);
            }
        }

        ObservedTarget observed = engine.observe();
        assertThat(observed.listeners()).containsOnlyKeys(listener.id());
        assertThat(observed.subsystems().get(first.id()).listeners()).containsExactly(listener.id());
        assertThat(observed.subsystems().get(second.id()).listeners()).containsExactly(listener.id());
        assertThat(Planner.plan(target(listener, first, second), observed)).isEmpty();
    }

    @Test
    void shouldServeNothingAtAListenerThatCannotListen() throws Exception {
        ListenerSpec absent = specs.listener(new ListenerId(specs.uuid()), "192.0.2.10", 4420);
        SubsystemSpec subsystem = linked(subsystem("waits", 1), absent);

        for (Step step : Planner.plan(target(absent, subsystem), engine.observe())) {
            if (step instanceof Step.AddListener) {
                assertThatExceptionOfType(EngineFault.class).isThrownBy(() -> engine.apply(step));
            } else if (!(step instanceof Step.Link)) {
                engine.apply(step);
            }
        }

        assertThat(engine.observe().listeners()).isEmpty();
        assertThat(engine.observe().subsystems().get(subsystem.id()).listeners())
                .isEmpty();
    }

    @Test
    void shouldListenAgainOnAPortThatWasGivenBack() throws Exception {
        ListenerSpec listener = listener(0);
        engine.apply(new Step.AddListener(listener));
        int port = engine.observe().listeners().get(listener.id()).trsvcid();

        engine.apply(new Step.RemoveListener(listener.id(), listener.traddr(), port));
        engine.apply(new Step.AddListener(specs.listener(listener.id(), listener.traddr(), port)));

        assertThat(engine.observe().listeners().get(listener.id()).trsvcid()).isEqualTo(port);
    }

    @Test
    void shouldWaitForAnAddressThatIsNotThereAndServeTheOthers() throws Exception {
        ListenerSpec absent = specs.listener(new ListenerId(specs.uuid()), "192.0.2.10", 4420);
        ListenerSpec present = listener(0);

        EngineFault fault = catchThrowableOfType(EngineFault.class, () -> engine.apply(new Step.AddListener(absent)));
        engine.apply(new Step.AddListener(present));

        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("listener.address_absent");
        assertThat(engine.observe().listeners()).containsOnlyKeys(present.id());
    }

    @Test
    void shouldWaitForADeviceThatIsNotThereAndTakeItOnceItIs() throws Exception {
        SubsystemSpec subsystem = subsystem("late", 1);
        NamespaceSpec namespace = subsystem.namespaces().values().iterator().next();
        Files.delete(namespace.device());
        engine.apply(new Step.PutSubsystem(subsystem, specs.cntlids()));
        Step add = new Step.AddNamespace(subsystem.id(), subsystem.nqn(), namespace);

        EngineFault fault = catchThrowableOfType(EngineFault.class, () -> engine.apply(add));
        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("namespace.device_absent");
        assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                .isEmpty();

        device(namespace.device(), namespace.sizeBytes());
        engine.apply(add);
        assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                .containsEntry(namespace.id(), observedOf(namespace));
    }

    @Test
    void shouldRefuseADeviceThatIsTooSmall() throws Exception {
        SubsystemSpec subsystem = subsystem("small", 1);
        NamespaceSpec namespace = subsystem.namespaces().values().iterator().next();
        device(namespace.device(), namespace.sizeBytes() - namespace.lbaBytes());
        engine.apply(new Step.PutSubsystem(subsystem, specs.cntlids()));

        EngineFault fault = catchThrowableOfType(
                EngineFault.class,
                () -> engine.apply(new Step.AddNamespace(subsystem.id(), subsystem.nqn(), namespace)));

        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("namespace.device_too_small");
    }

    @Test
    void shouldLeaveTheOthersAloneWhenOneStepFails() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec sound = subsystem("sound", 1);
        converge(target(listener, sound));
        ObservedTarget before = engine.observe();
        SubsystemSpec broken = subsystem("broken", 1);
        NamespaceSpec namespace = broken.namespaces().values().iterator().next();
        Files.delete(namespace.device());
        engine.apply(new Step.PutSubsystem(broken, specs.cntlids()));

        EngineFault fault = catchThrowableOfType(
                EngineFault.class, () -> engine.apply(new Step.AddNamespace(broken.id(), broken.nqn(), namespace)));

        assertThat(fault).isNotNull();
        ObservedTarget after = engine.observe();
        assertThat(after.subsystems().get(sound.id()))
                .isEqualTo(before.subsystems().get(sound.id()));
        assertThat(after.hosts()).isEqualTo(before.hosts());
        assertThat(after.listeners()).isEqualTo(before.listeners());
    }

    @Test
    void shouldRefuseASecondNamespaceAtTheSameNsid() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = subsystem("clash", 1);
        converge(target(listener, subsystem));
        NamespaceSpec first = subsystem.namespaces().values().iterator().next();
        Path device = device(directory.resolve("clash-2"), MEBIBYTE);
        NamespaceSpec second = specs.namespace(first.nsid(), device, MEBIBYTE);

        EngineFault fault = catchThrowableOfType(
                EngineFault.class, () -> engine.apply(new Step.AddNamespace(subsystem.id(), subsystem.nqn(), second)));

        assertThat(fault.reason().code()).isEqualTo("namespace.nsid_taken");
        assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                .containsOnlyKeys(first.id());
    }

    @Test
    void shouldShowTheNewSizeOfAGrownDevice() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = subsystem("grows", 1);
        TargetSpec small = target(listener, subsystem);
        converge(small);
        NamespaceSpec before = subsystem.namespaces().values().iterator().next();
        device(before.device(), 2 * before.sizeBytes());
        NamespaceSpec after = specs.resized(before, 2 * before.sizeBytes());
        TargetSpec large = target(listener, specs.with(subsystem, Map.of(after.id(), after)));

        List<Step> steps = Planner.plan(large, engine.observe());
        assertThat(steps).singleElement().isInstanceOf(Step.ResizeNamespace.class);
        converge(large);

        assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                .containsEntry(after.id(), observedOf(after));
    }

    @Test
    void shouldTakeANewHostKeyAndDisturbNothingElse() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = subsystem("keys", 1);
        TargetSpec before = target(listener, subsystem);
        converge(before);
        ObservedTarget observedBefore = engine.observe();
        HostSpec old = before.hosts().values().iterator().next();
        HostSpec rotated = specs.host(old.id(), old.nqn(), old.hostIdentifier(), TargetSpecs.secret(99));
        TargetSpec after = new TargetSpec(
                before.cntlids(), Map.of(rotated.id(), rotated), before.subsystems(), before.listeners());

        List<Step> steps = Planner.plan(after, engine.observe());
        assertThat(steps).containsExactly(new Step.PutHost(rotated));
        converge(after);

        ObservedTarget observedAfter = engine.observe();
        assertThat(observedAfter.hosts().get(rotated.id()).fingerprint())
                .isEqualTo(Fingerprints.of(rotated))
                .isNotEqualTo(observedBefore.hosts().get(rotated.id()).fingerprint());
        assertThat(observedAfter.subsystems()).isEqualTo(observedBefore.subsystems());
        assertThat(observedAfter.listeners()).isEqualTo(observedBefore.listeners());
    }

    @Test
    void shouldChangeSerialAndModelOfASubsystemInPlace() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = linked(subsystem("attributes", 1), listener);
        converge(target(listener, subsystem));
        SubsystemSpec renamed = new SubsystemSpec(
                subsystem.id(),
                subsystem.nqn(),
                "OTHER-SERIAL",
                "Other Model",
                Access.LISTED_HOSTS,
                subsystem.namespaces(),
                subsystem.allowedHosts(),
                subsystem.listeners());

        converge(target(listener, renamed));

        ObservedSubsystem present = engine.observe().subsystems().get(subsystem.id());
        assertThat(present.serial()).isEqualTo("OTHER-SERIAL");
        assertThat(present.model()).isEqualTo("Other Model");
        assertThat(present.namespaces()).hasSize(1);
        assertThat(present.listeners()).containsExactly(listener.id());
    }

    @Test
    void shouldServeASubsystemThatIsOpenToAnyHost() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = subsystem("open", 1);
        SubsystemSpec open = new SubsystemSpec(
                subsystem.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                Access.ANY_HOST,
                subsystem.namespaces(),
                Set.of(),
                Set.of(listener.id()));
        converge(target(listener, subsystem));

        converge(target(listener, open));

        ObservedSubsystem present = engine.observe().subsystems().get(subsystem.id());
        assertThat(present.access()).isEqualTo(Access.ANY_HOST);
        assertThat(present.allowedHosts()).isEmpty();
    }

    @Test
    void shouldReplaceANamespaceWhoseIdentityChanges() throws Exception {
        ListenerSpec listener = listener(0);
        SubsystemSpec subsystem = subsystem("identity", 2);
        converge(target(listener, subsystem));
        NamespaceSpec old = subsystem.namespaces().values().iterator().next();
        NamespaceSpec changed = specs.withUuid(old, specs.uuid());
        Map<NamespaceId, NamespaceSpec> namespaces = new HashMap<>(subsystem.namespaces());
        namespaces.put(changed.id(), changed);
        TargetSpec after = target(listener, specs.with(subsystem, namespaces));

        List<Step> steps = Planner.plan(after, engine.observe());
        assertThat(steps)
                .extracting(step -> (Object) step.getClass())
                .containsExactly(Step.RemoveNamespace.class, Step.AddNamespace.class);
        converge(after);

        assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                .containsEntry(changed.id(), observedOf(changed));
    }

    @Test
    void shouldSetAnaStatesPerListenerAndGroup() throws Exception {
        ListenerSpec here = listener(0).withAnaStates(Map.of(1L, AnaState.NON_OPTIMIZED));
        SubsystemSpec subsystem = subsystem("ana", 1);
        converge(target(here, subsystem));
        assertThat(engine.observe().listeners().get(here.id()).anaStates())
                .isEqualTo(Map.of(1L, AnaState.NON_OPTIMIZED));

        TargetSpec moved =
                target(here.withAnaStates(Map.of(1L, AnaState.INACCESSIBLE, 2L, AnaState.NON_OPTIMIZED)), subsystem);
        assertThat(Planner.plan(moved, engine.observe())).hasSize(2).allMatch(Step.SetAnaState.class::isInstance);
        converge(moved);

        assertThat(engine.observe().listeners().get(here.id()).anaStates())
                .isEqualTo(Map.of(1L, AnaState.INACCESSIBLE, 2L, AnaState.NON_OPTIMIZED));
        converge(target(here.withAnaStates(Map.of()), subsystem));
        assertThat(engine.observe().listeners().get(here.id()).anaStates()).isEmpty();
    }

    @Test
    void shouldMoveAListenerWithItsSubsystems() throws Exception {
        ListenerSpec before = listener(0);
        SubsystemSpec subsystem = subsystem("moves", 1);
        converge(target(before, subsystem));
        int port = engine.observe().listeners().get(before.id()).trsvcid();
        ListenerSpec after = new ListenerSpec(before.id(), before.transport(), AddressFamily.IPV4, "127.0.0.2", port);
        TargetSpec moved = target(after, subsystem);

        assertThat(Planner.plan(moved, engine.observe())).containsExactly(new Step.AddListener(after));
        converge(moved);

        assertThat(engine.observe().listeners().get(before.id()).traddr()).isEqualTo("127.0.0.2");
        assertThat(engine.observe().subsystems().get(subsystem.id()).listeners())
                .containsExactly(before.id());
    }

    @Test
    void shouldSayWhatItCannotDoAndWhatIsNotOurs() {
        assertThat(engine.limits())
                .allSatisfy(limit -> assertThat(limit.text()).endsWith("."))
                .extracting(Reason::code)
                .doesNotHaveDuplicates()
                .noneMatch(code -> engine.capabilities().stream()
                        .anyMatch(can -> can.code().equals(code)));
        assertThat(engine.foreign()).isEmpty();
    }

    /** Applies the plan to the end; a fault is a failed test. */
    private void converge(TargetSpec target) throws EngineFault {
        for (Step step : Planner.plan(target, engine.observe())) {
            engine.apply(step);
        }
    }

    private ListenerSpec listener(int port) {
        return specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", port);
    }

    private SubsystemSpec subsystem(String name, int namespaces) throws IOException {
        Map<NamespaceId, NamespaceSpec> made = new HashMap<>();
        for (int nsid = 1; nsid <= namespaces; nsid++) {
            Path device = device(directory.resolve(name + "-" + nsid), MEBIBYTE);
            NamespaceSpec namespace = specs.namespace(nsid, device, MEBIBYTE);
            made.put(namespace.id(), namespace);
        }
        SubsystemId id = new SubsystemId(specs.uuid());
        return new SubsystemSpec(
                id,
                TargetSpecs.subsystemNqn(name),
                "SERIAL-" + name.toUpperCase(Locale.ROOT),
                "Fairlead",
                Access.LISTED_HOSTS,
                made,
                Set.of(),
                Set.of());
    }

    /** A target of these subsystems, each served on the listener to a host of the target's own. */
    private TargetSpec target(ListenerSpec listener, SubsystemSpec... subsystems) {
        HostSpec host = specs.theHost();
        Map<SubsystemId, SubsystemSpec> byId = new HashMap<>();
        for (SubsystemSpec subsystem : subsystems) {
            Set<HostId> allowed = subsystem.access() == Access.ANY_HOST ? Set.of() : Set.of(host.id());
            SubsystemSpec linked = linked(subsystem, listener);
            byId.put(
                    linked.id(),
                    new SubsystemSpec(
                            linked.id(),
                            linked.nqn(),
                            linked.serial(),
                            linked.model(),
                            linked.access(),
                            linked.namespaces(),
                            allowed,
                            linked.listeners()));
        }
        return new TargetSpec(new CntlidWindow(1, 100), Map.of(host.id(), host), byId, Map.of(listener.id(), listener));
    }

    private static SubsystemSpec linked(SubsystemSpec subsystem, ListenerSpec listener) {
        return new SubsystemSpec(
                subsystem.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                subsystem.access(),
                subsystem.namespaces(),
                subsystem.allowedHosts(),
                Set.of(listener.id()));
    }

    private static SubsystemSpec only(TargetSpec target) {
        return target.subsystems().values().iterator().next();
    }

    private static Path device(Path path, long bytes) throws IOException {
        Files.write(path, new byte[Math.toIntExact(bytes)]);
        return path;
    }

    private static ObservedNamespace observedOf(NamespaceSpec spec) {
        return new ObservedNamespace(
                spec.id(),
                spec.nsid(),
                spec.uuid(),
                spec.nguid(),
                spec.eui64(),
                spec.sizeBytes(),
                spec.lbaBytes(),
                spec.anaGroup(),
                spec.deviceIdentity());
    }
}
