package io.fairlead.worker.engine;

import static io.fairlead.worker.engine.DesiredStates.MEBIBYTE;
import static io.fairlead.worker.engine.DesiredStates.generation;
import static io.fairlead.worker.engine.DesiredStates.hostId;
import static io.fairlead.worker.engine.DesiredStates.listenerId;
import static io.fairlead.worker.engine.DesiredStates.namespaceId;
import static io.fairlead.worker.engine.DesiredStates.onDrive;
import static io.fairlead.worker.engine.DesiredStates.onVolume;
import static io.fairlead.worker.engine.DesiredStates.subsystemId;
import static io.fairlead.worker.engine.DesiredStates.volumeId;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredVolume.Presence;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.worker.engine.simulated.ScriptedFaults;
import io.fairlead.worker.engine.simulated.SimulatedEngine;
import io.fairlead.worker.inventory.DriveFault;
import io.fairlead.worker.inventory.Drives;
import io.fairlead.worker.ledger.HeadMemory;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.PoolProvider;
import io.fairlead.worker.volume.file.DirectoryPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reconciler with real volumes on disk, the simulated engine, and drives that the test puts in and pulls. */
class ReconcilerTest {

    private static final String NVME = "eui.0011223344556677";

    @TempDir
    Path directory;

    private final LinkedBlockingQueue<String> nudges = new LinkedBlockingQueue<>();
    private final ScriptedFaults faults = new ScriptedFaults();
    private final Memory memory = new Memory();
    private final TestDrives drives = new TestDrives();
    private SimulatedEngine engine;
    private Pool pool;
    private Optional<DesiredState> intent = Optional.empty();
    private Reconciler reconciler;

    @BeforeEach
    void start() {
        engine = new SimulatedEngine(faults);
        pool = DirectoryPool.open("main", directory, () -> nudges.add("worth asking"));
        reconciler = reconciler();
    }

    @AfterEach
    void stop() {
        pool.close();
    }

    private Reconciler reconciler() {
        return new Reconciler(
                () -> intent,
                memory,
                Map.of("main", pool),
                PoolProvider.none(),
                drives,
                engine,
                InstantSource.system());
    }

    @Test
    void shouldTouchNothingWithoutADesiredState() throws Exception {
        engine.tamper(new Step.PutHost(new TargetSpecs(1).theHost()));

        assertThat(reconciler.activate()).isEmpty();

        assertThat(engine.observe().hosts()).hasSize(1);
        assertThat(engine.applied()).isEmpty();
    }

    @Test
    void shouldServeAnExportFromNothing() throws Exception {
        want(oneExport(1));

        Reconciliation first = activate();
        assertThat(state(first, ObjectKind.VOLUME, volumeId("a").value())).isEqualTo(ObjectState.PENDING);
        assertThat(reason(first, ObjectKind.SUBSYSTEM, subsystemId("a").value()))
                .isEqualTo("subsystem.no_namespace");
        assertThat(engine.observe().subsystems().get(subsystemId("a")).listeners())
                .isEmpty();

        Reconciliation second = settle();

        assertThat(second.objects()).allMatch(object -> object.state() == ObjectState.READY);
        assertThat(second.objects()).hasSize(5);
        assertThat(engine.observe().subsystems().get(subsystemId("a")).listeners())
                .containsExactly(listenerId("lo"));
        assertThat(second.untilNext()).isEqualTo(Reconciler.LOOK_INTERVAL);
    }

    @Test
    void shouldDoNothingTheSecondTime() throws Exception {
        want(oneExport(1));
        settle();
        int before = engine.applied().size();

        Reconciliation again = activate();

        assertThat(engine.applied()).hasSize(before);
        assertThat(again.steps()).isEmpty();
        assertThat(again.driftCount()).isZero();
    }

    @Test
    void shouldReportTheIdentityThatWasReadBack() throws Exception {
        want(oneExport(1));

        Reconciliation done = settle();

        assertThat(object(done, ObjectKind.NAMESPACE, namespaceId("a").value()).observed())
                .containsEntry("nsid", "1")
                .containsEntry("uuid", DesiredStates.id("uuid a").toString())
                .containsEntry("sizeBytes", Long.toString(MEBIBYTE));
        assertThat(object(done, ObjectKind.LISTENER, listenerId("lo").value())
                        .observed()
                        .get("trsvcid"))
                .isNotEqualTo("0");
    }

    /** CASES 1. */
    @Test
    void shouldWaitForAnAddressAndServeTheOtherListeners() throws Exception {
        want(generation(1)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .listener("late", "192.0.2.10", 4420)
                .volume("a", MEBIBYTE)
                .subsystem(
                        "a",
                        List.of(onVolume("a", 1, "a", MEBIBYTE)),
                        List.of(hostId("h")),
                        List.of(listenerId("lo"), listenerId("late")))
                .build());

        Reconciliation done = settle();

        assertThat(state(done, ObjectKind.LISTENER, listenerId("lo").value())).isEqualTo(ObjectState.READY);
        assertThat(state(done, ObjectKind.LISTENER, listenerId("late").value())).isEqualTo(ObjectState.PENDING);
        assertThat(reason(done, ObjectKind.LISTENER, listenerId("late").value()))
                .isEqualTo("listener.address_absent");
        assertThat(state(done, ObjectKind.SUBSYSTEM, subsystemId("a").value())).isEqualTo(ObjectState.PENDING);
        assertThat(reason(done, ObjectKind.SUBSYSTEM, subsystemId("a").value()))
                .isEqualTo("subsystem.listener_unavailable");
        assertThat(engine.observe().subsystems().get(subsystemId("a")).listeners())
                .containsExactly(listenerId("lo"));
        assertThat(done.untilNext()).isLessThan(Reconciler.LOOK_INTERVAL);
    }

    /** CASES 2. */
    @Test
    void shouldFillAnEngineThatLostEverythingWithTheSameIdentities() throws Exception {
        DesiredStates states = generation(1).host("h", 1).listener("lo", "127.0.0.1", 0);
        for (String name : List.of("a", "b", "c")) {
            states.volume(name + "1", MEBIBYTE).volume(name + "2", MEBIBYTE);
            states.subsystem(
                    name,
                    List.of(
                            onVolume(name + "1", 1, name + "1", MEBIBYTE),
                            onVolume(name + "2", 2, name + "2", MEBIBYTE)),
                    List.of(hostId("h")),
                    List.of(listenerId("lo")));
        }
        want(states.build());
        settle();
        ObservedTarget before = engine.observe();
        assertThat(before.subsystems()).hasSize(3);

        engine = new SimulatedEngine(faults);
        reconciler = reconciler();
        activate();

        assertThat(engine.observe()).isEqualTo(before);
    }

    /** CASES 3, with CASES 21: no listener is published for a subsystem without a namespace. */
    @Test
    void shouldWaitForALateDriveAndTellItOnce() throws Exception {
        want(driveExport(1, ""));

        Reconciliation first = activate();
        assertThat(reason(first, ObjectKind.NAMESPACE, namespaceId("d").value()))
                .isEqualTo("drive.absent");
        assertThat(state(first, ObjectKind.NAMESPACE, namespaceId("d").value())).isEqualTo(ObjectState.PENDING);
        assertThat(engine.observe().subsystems().get(subsystemId("d")).listeners())
                .isEmpty();
        List<StepReport> retries = new ArrayList<>();
        for (int retry = 0; retry < 5; retry++) {
            retries.addAll(activate().steps());
        }
        assertThat(retries).isEmpty();

        drives.plug(NVME, device("nvme0n1"));
        Reconciliation done = activate();

        assertThat(done.objects()).allMatch(object -> object.state() == ObjectState.READY);
        assertThat(done.driftCount()).isZero();
        assertThat(engine.observe().subsystems().get(subsystemId("d")).listeners())
                .containsExactly(listenerId("lo"));
    }

    @Test
    void shouldTellAFailedStepOnceWhileItFailsInTheSameWay() throws Exception {
        faults.failAlways(Step.AddListener.class::isInstance, () -> EngineFault.notYet("listener.busy", "Busy.", null));
        want(generation(1).listener("lo", "127.0.0.1", 4420).build());

        assertThat(activate().steps())
                .singleElement()
                .satisfies(step -> assertThat(step.outcome()).isEqualTo(StepReport.Outcome.FAILED));
        assertThat(activate().steps()).isEmpty();
        assertThat(activate().steps()).isEmpty();
        faults.clear();

        assertThat(activate().steps())
                .singleElement()
                .satisfies(step -> assertThat(step.outcome()).isEqualTo(StepReport.Outcome.DONE));
    }

    /** CASES 4. */
    @Test
    void shouldServeNineOfTenWhenTheVolumeOfOneIsLost() throws Exception {
        DesiredStates states = generation(1).host("h", 1).listener("lo", "127.0.0.1", 0);
        for (int number = 0; number < 10; number++) {
            states.export("s" + number, MEBIBYTE, "h", "lo");
        }
        want(states.build());
        settle();
        Files.delete(directory.resolve(volumeId("s4") + ".volume"));

        engine = new SimulatedEngine(faults);
        reconciler = reconciler();
        Reconciliation done = activate();

        for (int number = 0; number < 10; number++) {
            ObjectState expected = number == 4 ? ObjectState.DEGRADED : ObjectState.READY;
            assertThat(state(
                            done,
                            ObjectKind.SUBSYSTEM,
                            subsystemId("s" + number).value()))
                    .isEqualTo(expected);
        }
        assertThat(reason(done, ObjectKind.VOLUME, volumeId("s4").value())).isEqualTo("volume.file_absent");
        assertThat(reason(done, ObjectKind.NAMESPACE, namespaceId("s4").value()))
                .isEqualTo("namespace.volume_unavailable");
        assertThat(engine.observe().subsystems().get(subsystemId("s4")).listeners())
                .isEmpty();
    }

    @Test
    void shouldSkipWhatDependsOnAFailedStepAndDoTheRest() throws Exception {
        faults.failAlways(
                step -> step instanceof Step.PutSubsystem put
                        && put.subsystem().id().equals(subsystemId("bad")),
                () -> EngineFault.broken("subsystem.refused", "No.", null));
        want(generation(1)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("bad", MEBIBYTE, "h", "lo")
                .export("good", MEBIBYTE, "h", "lo")
                .build());

        Reconciliation done = settle();

        assertThat(state(done, ObjectKind.SUBSYSTEM, subsystemId("good").value()))
                .isEqualTo(ObjectState.READY);
        assertThat(reason(done, ObjectKind.SUBSYSTEM, subsystemId("bad").value()))
                .isEqualTo("subsystem.refused");
        ObjectReport namespace =
                object(done, ObjectKind.NAMESPACE, namespaceId("bad").value());
        assertThat(namespace.reason().orElseThrow().code()).isEqualTo("subsystem.unavailable");
        assertThat(namespace.reason().orElseThrow().text()).contains("No.");
        assertThat(engine.observe().subsystems()).containsOnlyKeys(subsystemId("good"));
    }

    @Test
    void shouldIsolateAnEngineThatThrowsWhatItMustNot() throws Exception {
        want(generation(1)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("a", MEBIBYTE, "h", "lo")
                .build());
        engine = new SimulatedEngine(step -> {
            if (step instanceof Step.PutHost) {
                throw new IllegalStateException("a fault of ours");
            }
        });
        reconciler = reconciler();

        Reconciliation done = settle();

        assertThat(reason(done, ObjectKind.HOST, hostId("h").value())).isEqualTo("engine.failed");
        assertThat(reason(done, ObjectKind.SUBSYSTEM, subsystemId("a").value()))
                .isEqualTo("subsystem.host_unavailable");
        assertThat(state(done, ObjectKind.NAMESPACE, namespaceId("a").value())).isEqualTo(ObjectState.READY);
    }

    @Test
    void shouldRepairAndCountDrift() throws Exception {
        want(oneExport(1));
        settle();
        engine.tamper(new Step.Unlink(subsystemId("a"), TargetSpecs.subsystemNqn("a"), listenerId("lo")));

        Reconciliation done = activate();

        assertThat(done.driftCount()).isEqualTo(1);
        assertThat(done.steps()).singleElement().satisfies(step -> {
            assertThat(step.outcome()).isEqualTo(StepReport.Outcome.DONE);
            assertThat(step.reason().map(Reason::code)).contains("drift.repaired");
        });
        assertThat(engine.observe().subsystems().get(subsystemId("a")).listeners())
                .containsExactly(listenerId("lo"));
        assertThat(done.drift()).singleElement().satisfies(drift -> {
            assertThat(drift.name()).isEqualTo(TargetSpecs.subsystemNqn("a"));
            assertThat(drift.differences()).singleElement().satisfies(difference -> {
                assertThat(difference.field()).isEqualTo("listeners");
                assertThat(difference.wanted()).startsWith("tcp ");
                assertThat(difference.found()).isEqualTo("absent");
            });
            assertThat(drift.repair()).startsWith("serve " + TargetSpecs.subsystemNqn("a"));
            assertThat(drift.repaired()).isTrue();
            assertThat(drift.reason()).isEmpty();
        });
        assertThat(activate().drift()).isEmpty();
    }

    @Test
    void shouldSayThatADriftCouldNotBeRepairedAndWhyOnce() throws Exception {
        want(oneExport(1));
        settle();
        engine.tamper(new Step.Unlink(subsystemId("a"), TargetSpecs.subsystemNqn("a"), listenerId("lo")));
        faults.failAlways(Step.Link.class::isInstance, () -> EngineFault.notYet("listener.busy", "Busy.", null));

        Reconciliation done = activate();

        assertThat(done.drift()).singleElement().satisfies(drift -> {
            assertThat(drift.repaired()).isFalse();
            assertThat(drift.reason().map(Reason::code)).contains("listener.busy");
        });
        assertThat(activate().drift()).isEmpty();
    }

    @Test
    void shouldNotCallANewIntentDrift() throws Exception {
        want(oneExport(1));
        settle();
        want(generation(2).build());

        Reconciliation done = activate();

        assertThat(done.driftCount()).isZero();
        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);
    }

    @Test
    void shouldKeepTheDataOfAVolumeThatIsNoLongerNamed() throws Exception {
        want(oneExport(1));
        settle();
        want(generation(2).build());

        activate();

        assertThat(directory.resolve(volumeId("a") + ".volume")).exists();
    }

    @Test
    void shouldDestroyAVolumeOnlyAfterNothingUsesIt() throws Exception {
        want(oneExport(1));
        settle();
        faults.fail(
                Step.RemoveNamespace.class::isInstance, 1, () -> EngineFault.notYet("namespace.busy", "Busy.", null));
        want(generation(2).volume("a", MEBIBYTE, Presence.ABSENT).build());

        Reconciliation blocked = activate();
        assertThat(state(blocked, ObjectKind.VOLUME, volumeId("a").value())).isEqualTo(ObjectState.REMOVING);
        assertThat(reason(blocked, ObjectKind.VOLUME, volumeId("a").value())).isEqualTo("volume.attached");
        assertThat(state(blocked, ObjectKind.NAMESPACE, namespaceId("a").value()))
                .isEqualTo(ObjectState.REMOVING);
        assertThat(state(blocked, ObjectKind.SUBSYSTEM, subsystemId("a").value()))
                .isEqualTo(ObjectState.REMOVING);
        assertThat(directory.resolve(volumeId("a") + ".volume")).exists();

        Reconciliation done = activate();
        assertThat(done.objects())
                .singleElement()
                .satisfies(object -> assertThat(object.state()).isEqualTo(ObjectState.ABSENT));
        assertThat(directory.resolve(volumeId("a") + ".volume")).doesNotExist();
        assertThat(memory.recall().volumes()).isEmpty();
    }

    @Test
    void shouldGrowAVolumeAndThenItsNamespace() throws Exception {
        want(oneExport(1));
        settle();
        int before = engine.applied().size();
        want(generation(2)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("a", 2 * MEBIBYTE, "h", "lo")
                .build());

        Reconciliation growing = activate();
        assertThat(reason(growing, ObjectKind.NAMESPACE, namespaceId("a").value()))
                .isEqualTo("namespace.volume_growing");
        Reconciliation done = settle();

        assertThat(done.objects()).allMatch(object -> object.state() == ObjectState.READY);
        assertThat(engine.applied().subList(before, engine.applied().size()))
                .singleElement()
                .isInstanceOf(Step.ResizeNamespace.class);
        assertThat(done.driftCount()).isZero();
    }

    @Test
    void shouldKeepServingANamespaceWhoseVolumeCannotBeFoundNow() throws Exception {
        want(oneExport(1));
        settle();
        Files.delete(directory.resolve(volumeId("a") + ".volume"));
        int before = engine.applied().size();

        Reconciliation done = activate();

        assertThat(engine.applied()).hasSize(before);
        ObjectReport namespace =
                object(done, ObjectKind.NAMESPACE, namespaceId("a").value());
        assertThat(namespace.state()).isEqualTo(ObjectState.DEGRADED);
        assertThat(namespace.observed()).containsEntry("nsid", "1");
    }

    @Test
    void shouldKeepTheChosenPortOverARestart() throws Exception {
        TargetSpecs specs = new TargetSpecs(3);
        // So that the listener does not get the port that a fresh engine chooses first.
        engine.tamper(new Step.AddListener(specs.listener(listenerId("other"), "127.0.0.1", 0)));
        want(oneExport(1));
        settle();
        int port = engine.observe().listeners().get(listenerId("lo")).trsvcid();
        engine = new SimulatedEngine(faults);
        reconciler = reconciler();

        activate();

        assertThat(engine.observe().listeners().get(listenerId("lo")).trsvcid()).isEqualTo(port);
        assertThat(memory.recall().ports()).containsExactly(Map.entry(listenerId("lo"), port));
    }

    @Test
    void shouldAskForAnUnusedDriveOnceAndThenKnowItAsOurs() throws Exception {
        drives.plug(NVME, device("nvme0n1"));
        want(driveExport(1, "ext4"));
        activate();
        assertThat(drives.asked).containsExactly("unused " + NVME + " ext4");

        engine = new SimulatedEngine(faults);
        reconciler = reconciler();
        drives.asked.clear();
        activate();

        assertThat(drives.asked).containsExactly("ours " + NVME);
    }

    @Test
    void shouldStillKnowADriveAsOursWhenItWasAway() throws Exception {
        drives.plug(NVME, device("nvme0n1"));
        want(driveExport(1, ""));
        activate();
        engine = new SimulatedEngine(faults);
        reconciler = reconciler();
        drives.pull(NVME);
        activate();
        drives.plug(NVME, device("nvme0n1"));
        drives.asked.clear();

        activate();

        assertThat(drives.asked).containsExactly("ours " + NVME);
    }

    @Test
    void shouldForgetADriveThatWasGivenBack() throws Exception {
        drives.plug(NVME, device("nvme0n1"));
        want(driveExport(1, ""));
        activate();
        want(generation(2).build());
        activate();

        assertThat(memory.recall().claims()).isEmpty();
    }

    @Test
    void shouldRefuseOneDeviceForTwoNamespaces() throws Exception {
        drives.plug(NVME, device("nvme0n1"));
        want(generation(1)
                .listener("lo", "127.0.0.1", 0)
                .subsystem(
                        "d",
                        List.of(onDrive("d", 1, NVME, "", MEBIBYTE), onDrive("e", 2, NVME, "", MEBIBYTE)),
                        List.of(),
                        List.of(listenerId("lo")))
                .build());

        Reconciliation done = activate();

        assertThat(List.of(
                        state(done, ObjectKind.NAMESPACE, namespaceId("d").value()),
                        state(done, ObjectKind.NAMESPACE, namespaceId("e").value())))
                .containsExactlyInAnyOrder(ObjectState.READY, ObjectState.DEGRADED);
        assertThat(engine.observe().subsystems().get(subsystemId("d")).namespaces())
                .hasSize(1);
    }

    @Test
    void shouldSayThatAPoolIsUnknown() {
        want(oneExport(1));
        reconciler = new Reconciler(
                () -> intent, memory, Map.of(), PoolProvider.none(), drives, engine, InstantSource.system());

        Reconciliation done = activate();

        assertThat(reason(done, ObjectKind.VOLUME, volumeId("a").value())).isEqualTo("volume.pool_unknown");
    }

    @Test
    void shouldReplaceAHostKeyAndTouchNothingElse() throws Exception {
        want(oneExport(1));
        settle();
        int before = engine.applied().size();
        want(generation(2)
                .host("h", 2)
                .listener("lo", "127.0.0.1", 0)
                .export("a", MEBIBYTE, "h", "lo")
                .build());

        activate();

        assertThat(engine.applied().subList(before, engine.applied().size()))
                .singleElement()
                .isInstanceOf(Step.PutHost.class);
    }

    private static DesiredState oneExport(long generation) {
        return generation(generation)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("a", MEBIBYTE, "h", "lo")
                .build();
    }

    private static DesiredState driveExport(long generation, String agreedSignature) {
        return generation(generation)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .subsystem(
                        "d",
                        List.of(onDrive("d", 1, NVME, agreedSignature, MEBIBYTE)),
                        List.of(hostId("h")),
                        List.of(listenerId("lo")))
                .build();
    }

    private Path device(String name) throws Exception {
        return Files.write(directory.resolve(name), new byte[(int) MEBIBYTE]);
    }

    private void want(DesiredState desired) {
        intent = Optional.of(desired);
    }

    private Reconciliation activate() {
        return reconciler.activate().orElseThrow();
    }

    /** Activates until no volume is being made any more. */
    private Reconciliation settle() throws InterruptedException {
        Reconciliation last = activate();
        while (last.objects().stream()
                .flatMap(object -> object.reason().stream())
                .anyMatch(reason -> reason.code().equals("volume.allocating")
                        || reason.code().equals("volume.growing"))) {
            assertThat(nudges.poll(10, TimeUnit.SECONDS)).isNotNull();
            last = activate();
        }
        return last;
    }

    private static ObjectReport object(Reconciliation done, ObjectKind kind, UUID id) {
        return done.objects().stream()
                .filter(object -> object.kind() == kind && object.id().equals(id))
                .reduce((left, right) -> {
                    throw new AssertionError("reported twice: " + left + right);
                })
                .orElseThrow();
    }

    private static ObjectState state(Reconciliation done, ObjectKind kind, UUID id) {
        return object(done, kind, id).state();
    }

    private static String reason(Reconciliation done, ObjectKind kind, UUID id) {
        return object(done, kind, id).reason().orElseThrow().code();
    }

    private static final class Memory implements HeadMemory {
        private Facts facts = Facts.NONE;

        @Override
        public Facts recall() {
            return facts;
        }

        @Override
        public void remember(Facts newFacts) {
            facts = newFacts;
        }
    }

    private static final class TestDrives implements Drives {
        private final Map<String, Path> plugged = new HashMap<>();
        private final List<String> asked = new ArrayList<>();

        void plug(String identity, Path device) {
            plugged.put(identity, device);
        }

        void pull(String identity) {
            plugged.remove(identity);
        }

        @Override
        public Path find(String identity) throws DriveFault {
            asked.add("ours " + identity);
            return present(identity);
        }

        @Override
        public Path findUnused(String identity, String agreedSignature) throws DriveFault {
            asked.add("unused " + identity + " " + agreedSignature);
            return present(identity);
        }

        @Override
        public Path findPooled(String identity) throws DriveFault {
            asked.add("pooled " + identity);
            return present(identity);
        }

        private Path present(String identity) throws DriveFault {
            if (!plugged.containsKey(identity)) {
                throw DriveFault.notYet("drive.absent", identity + " is not there.", null);
            }
            return plugged.get(identity);
        }
    }
}
