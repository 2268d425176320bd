package io.fairlead.worker.engine.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget;
import io.fairlead.worker.engine.Planner;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetSpec;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.TargetSpecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the kernel's target makes hard: objects without ids, attributes that are fixed, hands in configfs, failures half-way. */
class NvmetEngineTest {

    private static final long MEBIBYTE = 1 << 20;
    private static final String NQN = TargetSpecs.subsystemNqn("a");

    @TempDir
    private Path directory;

    private final TargetSpecs specs = new TargetSpecs(23);
    private final FakeWorld world = new FakeWorld();
    private final FakeMachine machine = new FakeMachine(world);
    private final KernelLog log = new KernelLog("boot-1", Instant.EPOCH);
    private FakeConfigFs configFs = new FakeConfigFs(world);
    private NvmetEngine engine;
    private TargetSpec target;
    private ListenerSpec listener;
    private NamespaceSpec namespace;

    @BeforeEach
    void converged() throws Exception {
        engine = open();
        Path device = directory.resolve("device");
        Files.write(device, new byte[(int) MEBIBYTE]);
        namespace = specs.namespace(1, device, MEBIBYTE);
        listener = specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", 14_420);
        HostSpec host = specs.theHost();
        SubsystemSpec subsystem = new SubsystemSpec(
                new SubsystemId(specs.uuid()),
                NQN,
                "SERIAL",
                "Fairlead",
                Access.LISTED_HOSTS,
                Map.of(namespace.id(), namespace),
                Set.of(host.id()),
                Set.of(listener.id()));
        target = new TargetSpec(
                specs.cntlids(),
                Map.of(host.id(), host),
                Map.of(subsystem.id(), subsystem),
                Map.of(listener.id(), listener));
        converge(target);
        configFs.clearJournal();
    }

    @Test
    void shouldServeInConfigfsExactlyWhatWasAsked() throws Exception {
        String path = Tree.namespace(NQN, 1);
        assertThat(configFs.read(path + "/enable")).isEqualTo("1");
        assertThat(configFs.read(path + "/device_uuid"))
                .isEqualTo(namespace.uuid().toString());
        assertThat(configFs.read(path + "/buffered_io")).isEqualTo("0");
        assertThat(configFs.read(Tree.subsystem(NQN) + "/attr_cntlid_max")).isEqualTo("100");
        assertThat(configFs.read(Tree.subsystem(NQN) + "/attr_allow_any_host")).isEqualTo("0");
        assertThat(configFs.list(Tree.linked(1))).contains(NQN);
    }

    @Test
    void shouldKnowItsObjectsAgainInAnotherProcess() {
        ObservedTarget before = engine.observe();

        engine = open();

        assertThat(engine.observe()).isEqualTo(before);
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
        assertThat(engine.foreign()).isEmpty();
    }

    @Test
    void shouldTakeOverWhatIsExactlyAsDesiredWhenTheRecordIsLost() throws Exception {
        Files.delete(record());
        engine = open();
        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);
        assertThat(engine.foreign()).extracting(ForeignObject::kind).containsExactly("host", "subsystem", "port");

        converge(target);

        assertThat(Planner.plan(target, engine.observe())).isEmpty();
        assertThat(engine.foreign()).isEmpty();
        assertThat(configFs.journal())
                .noneMatch(change -> change.startsWith("unlink") || change.startsWith("rmdir " + NQN));
        assertThat(configFs.read(Tree.namespace(NQN, 1) + "/enable")).isEqualTo("1");
    }

    @Test
    void shouldForgetTheRecordOfAnEarlierBoot() throws Exception {
        machine.reboot("boot-2");
        configFs = new FakeConfigFs(world);
        engine = open();
        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);

        converge(target);

        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldShowForeignObjectsAndLeaveThemAlone() throws Exception {
        configFs.makeDirectory("hosts/nqn.2020-01.example:host");
        configFs.makeDirectory("subsystems/nqn.2020-01.example:volumes");
        configFs.makeDirectory("ports/7");

        assertThat(engine.foreign())
                .extracting(ForeignObject::kind, ForeignObject::name)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("host", "nqn.2020-01.example:host"),
                        org.assertj.core.groups.Tuple.tuple("subsystem", "nqn.2020-01.example:volumes"),
                        org.assertj.core.groups.Tuple.tuple("port", "7"));
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
        converge(specs.nothing());
        assertThat(configFs.isDirectory("subsystems/nqn.2020-01.example:volumes"))
                .isTrue();
        assertThat(configFs.isDirectory("ports/7")).isTrue();
    }

    @Test
    void shouldRefuseANameThatAForeignSubsystemHas() throws Exception {
        configFs.makeDirectory("subsystems/" + TargetSpecs.subsystemNqn("b"));
        SubsystemSpec wanted = new SubsystemSpec(
                new SubsystemId(specs.uuid()),
                TargetSpecs.subsystemNqn("b"),
                "OTHER",
                "Fairlead",
                Access.LISTED_HOSTS,
                Map.of(),
                Set.of(),
                Set.of());

        assertThat(fault(new Step.PutSubsystem(wanted, specs.cntlids()))
                        .reason()
                        .code())
                .isEqualTo("subsystem.nqn_taken");
        assertThat(configFs.read("subsystems/" + TargetSpecs.subsystemNqn("b") + "/attr_serial"))
                .isNotEqualTo("OTHER");
    }

    @Test
    void shouldPutBackALinkThatWasTakenAwayByHand() throws Exception {
        configFs.unlink(Tree.link(1, NQN));

        List<Step> plan = Planner.plan(target, engine.observe());

        assertThat(plan).singleElement().isInstanceOf(Step.Link.class);
        converge(target);
        assertThat(configFs.isDirectory(Tree.link(1, NQN))).isTrue();
    }

    @Test
    void shouldTakeAwayAHostThatWasLetInByHandAndDisturbNobody() throws Exception {
        String stranger = "nqn.2020-01.example:stranger";
        configFs.makeDirectory("hosts/" + stranger);
        configFs.link("hosts/" + stranger, Tree.allowedHosts(NQN) + "/" + stranger);
        configFs.clearJournal();

        assertThat(Planner.plan(target, engine.observe())).singleElement().isInstanceOf(Step.DisallowHost.class);
        converge(target);

        assertThat(configFs.list(Tree.allowedHosts(NQN))).doesNotContain(stranger);
        assertThat(configFs.isDirectory("hosts/" + stranger)).isTrue();
        assertThat(configFs.journal()).hasSize(1);
    }

    @Test
    void shouldEndTheAssociationsOfAHostThatIsNoLongerAllowed() throws Exception {
        HostSpec host = specs.theHost();
        log.accept("6,100,5000000,-;nvmet: creating nvm controller 1 for subsystem " + NQN + " for NQN " + host.nqn()
                + " with DH-HMAC-CHAP.\n");
        SubsystemId subsystem = target.subsystems().keySet().iterator().next();

        engine.apply(new Step.DisallowHost(subsystem, NQN, host.id()));

        assertThat(configFs.journal())
                .anyMatch(change -> change.startsWith("unlink") && change.contains(Tree.link(1, NQN)));
        assertThat(configFs.isDirectory(Tree.link(1, NQN))).isTrue();
    }

    @Test
    void shouldPutBackAKeyThatWasChangedByHand() throws Exception {
        HostSpec host = specs.theHost();
        configFs.write(
                Tree.host(host.nqn()) + "/dhchap_key", TargetSpecs.secret(77).reveal());

        assertThat(Planner.plan(target, engine.observe())).containsExactly(new Step.PutHost(host));
        converge(target);

        assertThat(configFs.read(Tree.host(host.nqn()) + "/dhchap_key"))
                .isEqualTo(host.authentication().orElseThrow().hostSecret().reveal());
    }

    @Test
    void shouldUseThePageCacheOnlyForFilesThatCannotDoWithout() throws Exception {
        machine.loseDirectIo();
        configFs.write(Tree.namespace(NQN, 1) + "/enable", "0");

        converge(target);

        assertThat(configFs.read(Tree.namespace(NQN, 1) + "/buffered_io")).isEqualTo("1");
    }

    @Test
    void shouldEnableANamespaceThatWasDisabledByHand() throws Exception {
        configFs.write(Tree.namespace(NQN, 1) + "/enable", "0");

        converge(target);

        assertThat(configFs.read(Tree.namespace(NQN, 1) + "/enable")).isEqualTo("1");
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldMakeANamespaceAnewWhenAnotherDeviceHasComeToItsPath() throws Exception {
        Files.delete(namespace.device());
        Files.write(directory.resolve("holds the inode"), new byte[1]);
        Files.write(namespace.device(), new byte[(int) MEBIBYTE]);

        assertThat(Planner.plan(target, engine.observe()))
                .extracting(step -> (Object) step.getClass())
                .contains(Step.RemoveNamespace.class, Step.AddNamespace.class);
        converge(target);

        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldLeaveNothingBehindWhenANamespaceCannotBeEnabled() throws Exception {
        Path device = directory.resolve("second");
        Files.write(device, new byte[(int) MEBIBYTE]);
        NamespaceSpec second = specs.namespace(2, device, MEBIBYTE);
        SubsystemId subsystem = target.subsystems().keySet().iterator().next();
        configFs.failNext("write", Tree.namespace(NQN, 2) + "/enable", Errno.EBUSY);

        EngineFault fault = fault(new Step.AddNamespace(subsystem, NQN, second));

        assertThat(fault.reason().code()).isEqualTo("namespace.device_in_use");
        assertThat(configFs.isDirectory(Tree.namespace(NQN, 2))).isFalse();
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
        assertThat(engine.foreign()).isEmpty();
        engine.apply(new Step.AddNamespace(subsystem, NQN, second));
        assertThat(configFs.read(Tree.namespace(NQN, 2) + "/enable")).isEqualTo("1");
    }

    @Test
    void shouldRefuseBlocksThatTheKernelWouldNotServe() {
        machine.serveBlocksOf(4096);
        NamespaceSpec second = specs.namespace(2, namespace.device(), MEBIBYTE);
        SubsystemId subsystem = target.subsystems().keySet().iterator().next();

        assertThat(fault(new Step.AddNamespace(subsystem, NQN, second)).reason().code())
                .isEqualTo("namespace.lba_size_unavailable");
    }

    @Test
    void shouldSayThatSerialAndModelAreFixedOnceAHostHasSeenThem() throws Exception {
        configFs.markDiscovered(NQN);
        SubsystemSpec present = target.subsystems().values().iterator().next();
        SubsystemSpec renamed = new SubsystemSpec(
                present.id(),
                NQN,
                "ANOTHER",
                present.model(),
                present.access(),
                present.namespaces(),
                present.allowedHosts(),
                present.listeners());

        assertThat(fault(new Step.PutSubsystem(renamed, specs.cntlids()))
                        .reason()
                        .code())
                .isEqualTo("subsystem.attribute_fixed");
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldNotLetAHostInWithoutItsKeyOnAKernelWithoutAuthentication() {
        configFs = new FakeConfigFs(new FakeWorld().withoutAuth());
        machine.reboot("boot-3");
        engine = open();

        assertThat(fault(new Step.PutHost(specs.theHost())).reason().code())
                .isEqualTo("host.authentication_unavailable");
        assertThat(engine.capabilities()).doesNotContain(Capability.DHCHAP);
        assertThat(engine.limits()).extracting(Reason::code).contains(Capability.DHCHAP.code());
        assertThat(configFs.isDirectory(Tree.host(specs.theHost().nqn()))).isFalse();
    }

    @Test
    void shouldMoveAListenerWhoseAttributesChangeOntoANewPort() throws Exception {
        ListenerSpec moved = new ListenerSpec(
                listener.id(),
                listener.transport(),
                listener.adrfam(),
                "127.0.0.1",
                14_421,
                Optional.of(8192),
                Optional.of(64),
                Map.of());

        engine.apply(new Step.AddListener(moved));

        assertThat(engine.observe().listeners().get(listener.id()).trsvcid()).isEqualTo(14_421);
        assertThat(engine.observe().listeners().get(listener.id()).inCapsuleBytes())
                .contains(8192);
        List<String> journal = configFs.journal();
        int opened = indexOf(journal, "link", Tree.link(2, NQN));
        int left = indexOf(journal, "unlink", Tree.link(1, NQN));
        assertThat(opened).isLessThan(left);
        assertThat(configFs.isDirectory(Tree.port(1))).isFalse();
    }

    @Test
    void shouldKeepAListenerWhereItIsWhenItCannotBeMoved() throws Exception {
        ListenerSpec absent =
                new ListenerSpec(listener.id(), listener.transport(), listener.adrfam(), "192.0.2.10", 14_420);

        assertThat(fault(new Step.AddListener(absent)).reason().code()).isEqualTo("listener.address_absent");

        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldWaitForAnAddressThatAnotherListenerHas() throws Exception {
        ListenerSpec second = specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", 14_420);

        EngineFault fault = fault(new Step.AddListener(second));

        assertThat(fault.reason().code()).isEqualTo("listener.address_in_use");
        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
        assertThat(configFs.isDirectory(Tree.port(2))).isFalse();
    }

    @Test
    void shouldSayWhoHasTheAddressWhenAForeignPortListensThere() throws Exception {
        configFs.makeDirectory("subsystems/nqn.2020-01.example:volumes");
        configFs.makeDirectory("ports/7");
        configFs.write("ports/7/addr_trtype", "tcp");
        configFs.write("ports/7/addr_adrfam", "ipv4");
        configFs.write("ports/7/addr_traddr", "127.0.0.1");
        configFs.write("ports/7/addr_trsvcid", "14421");
        configFs.link("subsystems/nqn.2020-01.example:volumes", "ports/7/subsystems/nqn.2020-01.example:volumes");

        EngineFault fault =
                fault(new Step.AddListener(specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", 14_421)));

        assertThat(fault.reason().code()).isEqualTo("listener.address_in_use");
        assertThat(fault.reason().text()).startsWith("Port 7 of the kernel's target, which Fairlead did not make,");
        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
        assertThat(configFs.isDirectory(Tree.port(2))).isFalse();
    }

    @Test
    void shouldServeNothingAndSayWhyWhereTheKernelHasNoTarget() {
        machine.lose("engine.nvmet_not_loaded", "The kernel's NVMe target is not loaded.");

        assertThat(engine.observe()).isEqualTo(ObservedTarget.EMPTY);
        assertThat(engine.capabilities()).isEmpty();
        assertThat(engine.limits()).extracting(Reason::code).containsExactly("engine.nvmet_not_loaded");
        assertThat(fault(new Step.AddListener(listener)).reason().code()).isEqualTo("engine.nvmet_not_loaded");

        machine.findAgain();
        assertThat(Planner.plan(target, engine.observe())).isEmpty();
    }

    @Test
    void shouldLeaveNoHostWithoutItsKeyWhenTheKernelRefusesTheKey() {
        HostSpec host = specs.host(
                new io.fairlead.core.HostId(specs.uuid()),
                "nqn.2014-08.org.nvmexpress:uuid:" + specs.uuid(),
                specs.uuid(),
                TargetSpecs.secret(5));
        configFs.failNext("write", Tree.host(host.nqn()) + "/dhchap_key", Errno.EINVAL);

        EngineFault fault = fault(new Step.PutHost(host));

        assertThat(fault.reason().code()).isEqualTo("host.key_refused");
        assertThat(fault.reason().text())
                .doesNotContain(host.authentication().orElseThrow().hostSecret().reveal());
        assertThat(configFs.isDirectory(Tree.host(host.nqn()))).isFalse();
    }

    @Test
    void shouldMakeAnaGroupsThatNamespacesNeed() throws Exception {
        NamespaceSpec inGroup = new NamespaceSpec(
                new NamespaceId(specs.uuid()),
                5,
                specs.uuid(),
                namespace.nguid().replace('0', '1'),
                namespace.eui64(),
                MEBIBYTE,
                512,
                5,
                namespace.device(),
                "volume.other");
        SubsystemId subsystem = target.subsystems().keySet().iterator().next();

        engine.apply(new Step.AddNamespace(subsystem, NQN, inGroup));

        assertThat(configFs.read(Tree.anaState(1, 5))).isEqualTo("optimized");
        assertThat(engine.observe().listeners().get(listener.id()).anaStates()).isEmpty();
    }

    private static int indexOf(List<String> journal, String operation, String path) {
        for (int i = 0; i < journal.size(); i++) {
            if (journal.get(i).startsWith(operation + " ") && journal.get(i).contains(path)) {
                return i;
            }
        }
        throw new AssertionError("no " + operation + " of " + path + " in " + journal);
    }

    private Path record() {
        return directory.resolve("nvmet.json");
    }

    private NvmetEngine open() {
        return new NvmetEngine(configFs, machine, record(), log, Optional.empty());
    }

    private void converge(TargetSpec wanted) throws EngineFault, IOException {
        for (Step step : Planner.plan(wanted, engine.observe())) {
            engine.apply(step);
        }
    }

    private EngineFault fault(Step step) {
        EngineFault fault = catchThrowableOfType(EngineFault.class, () -> engine.apply(step));
        assertThat(fault).as(step.describe()).isNotNull();
        return fault;
    }
}
