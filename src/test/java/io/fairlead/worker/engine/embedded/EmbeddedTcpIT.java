package io.fairlead.worker.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.AuthenticationFailureReport.Check;
import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.contract.Transport;
import io.fairlead.core.ListenerId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.AdminCommands;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.DiscoveryEntry;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.TargetSpecs;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import io.fairlead.worker.prover.HostConnection;
import io.fairlead.worker.prover.HostOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The embedded engine seen by hosts that connect over TCP. */
class EmbeddedTcpIT {

    private static final long SIZE_BYTES = 8 << 20;
    private static final HostOptions OPTIONS = HostOptions.DEFAULT;

    @TempDir
    private Path directory;

    private final TargetSpecs specs = new TargetSpecs(23);
    private final HostSpec host = specs.theHost();
    private EmbeddedEngine engine;
    private ListenerSpec listener;
    private SubsystemSpec subsystem;
    private NamespaceSpec namespace;

    @BeforeEach
    void shouldServeOneSubsystem() throws Exception {
        engine = EmbeddedEngine.open(TcpSettings.DEFAULT, InstantSource.system());
        listener = specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", 0);
        namespace = specs.namespace(1, device("disk", SIZE_BYTES), SIZE_BYTES);
        subsystem = subsystem("one", namespace);
        engine.apply(new Step.PutHost(host));
        engine.apply(new Step.AddListener(listener));
        serve(subsystem);
    }

    private void serve(SubsystemSpec served) throws EngineFault {
        engine.apply(new Step.PutSubsystem(served, specs.cntlids()));
        engine.apply(new Step.AllowHost(served.id(), served.nqn(), host.id()));
        for (NamespaceSpec each : served.namespaces().values()) {
            engine.apply(new Step.AddNamespace(served.id(), served.nqn(), each));
        }
        engine.apply(new Step.Link(served.id(), served.nqn(), listener.id()));
    }

    @AfterEach
    void shouldHaveGivenEverythingBack() {
        await().until(() -> engine.connections() == 0);
        assertThat(engine.buffersInUse()).isZero();
        assertThat(engine.connected()).isEmpty();
        engine.close();
    }

    private Path device(String name, long bytes) throws IOException {
        Path path = directory.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(bytes);
        }
        return path;
    }

    private SubsystemSpec subsystem(String name, NamespaceSpec... namespaces) {
        Map<io.fairlead.core.NamespaceId, NamespaceSpec> byId = new java.util.HashMap<>();
        for (NamespaceSpec each : namespaces) {
            byId.put(each.id(), each);
        }
        return new SubsystemSpec(
                new SubsystemId(specs.uuid()),
                TargetSpecs.subsystemNqn(name),
                "SERIAL-" + name,
                "Fairlead",
                Access.LISTED_HOSTS,
                byId,
                Set.of(),
                Set.of());
    }

    private InetSocketAddress address() {
        return engine.address(listener.id()).orElseThrow();
    }

    private HostIdentity identity(io.fairlead.contract.DhchapSecret secret) {
        DhchapKey key = ((DhchapKey.Parsed.Valid) DhchapKey.parse(secret.reveal())).key();
        return new HostIdentity(
                host.nqn(), host.hostIdentifier(), Optional.of(HostPolicy.offeringAll(key, Optional.empty())));
    }

    private HostIdentity identity() {
        return identity(host.authentication().orElseThrow().hostSecret());
    }

    private HostConnection connect(HostOptions options) throws InitiatorFault {
        return HostConnection.connect(identity(), address(), subsystem.nqn(), options);
    }

    private HostConnection connect() throws InitiatorFault {
        return connect(OPTIONS);
    }

    private static MemorySegment random(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return MemorySegment.ofArray(content);
    }

    private static void shouldKeepData(HostConnection connection) throws InitiatorFault {
        NamespaceData seen = connection.identifyNamespaces().getFirst();
        for (int bytes : new int[] {seen.lbaBytes(), 4096, 16_384, 131_072, 1 << 20}) {
            MemorySegment written = random(bytes);
            MemorySegment read = Arena.ofAuto().allocate(bytes);
            connection.write(seen, 8, written);
            connection.read(seen, 8, read);
            assertThat(read.mismatch(written)).as("%d bytes", bytes).isEqualTo(-1);
        }
        connection.flush(seen);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeDataToAnAuthenticatedHost(Digests digests) throws Exception {
        try (HostConnection connection = connect(OPTIONS.withDigests(digests).withQueues(2, 64))) {
            assertThat(connection.authentication()).isPresent();
            assertThat(connection.ioQueueCount()).isEqualTo(2);
            assertThat(connection.identifyNamespaces()).singleElement().satisfies(seen -> {
                assertThat(seen.nsid()).isEqualTo(1);
                assertThat(seen.uuid()).contains(namespace.uuid());
                assertThat(seen.nguid()).isEqualTo(namespace.nguid());
                assertThat(seen.sizeBytes()).isEqualTo(SIZE_BYTES);
                assertThat(seen.lbaBytes()).isEqualTo(namespace.lbaBytes());
            });
            shouldKeepData(connection);
            assertThat(engine.connected()).singleElement().satisfies(view -> {
                assertThat(view.hostNqn()).isEqualTo(host.nqn());
                assertThat(view.subsystemNqn()).isEqualTo(subsystem.nqn());
                assertThat(view.ioQueues()).isEqualTo(2);
            });
        }
        await().until(() -> engine.connected().isEmpty());
        try (HostConnection again = connect()) {
            MemorySegment read = Arena.ofAuto().allocate(4096);
            again.read(again.identifyNamespaces().getFirst(), 8, read);
            assertThat(read.mismatch(random(1 << 20).asSlice(0, 4096)))
                    .as("another host sees what was written")
                    .isEqualTo(-1);
        }
    }

    @Test
    void shouldExplainEachRefusal() throws Exception {
        assertThatThrownBy(() ->
                        HostConnection.connect(identity(TargetSpecs.secret(99)), address(), subsystem.nqn(), OPTIONS))
                .isInstanceOf(InitiatorFault.class);
        refusedAs(Check.KEY_MISMATCH, host.nqn(), subsystem.nqn());

        assertThatThrownBy(() -> HostConnection.connect(identity().withoutKey(), address(), subsystem.nqn(), OPTIONS))
                .isInstanceOf(InitiatorFault.class);
        refusedAs(Check.KEY_NOT_PRESENTED, host.nqn(), subsystem.nqn());

        HostIdentity stranger =
                new HostIdentity("nqn.2026-01.io.fairlead:stranger", UUID.randomUUID(), Optional.empty());
        assertThatThrownBy(() -> HostConnection.connect(stranger, address(), subsystem.nqn(), OPTIONS))
                .isInstanceOf(InitiatorFault.class);
        refusedAs(Check.HOST_NOT_ALLOWED, stranger.nqn(), subsystem.nqn());

        String absent = TargetSpecs.subsystemNqn("absent");
        assertThatThrownBy(() -> HostConnection.connect(identity(), address(), absent, OPTIONS))
                .isInstanceOf(InitiatorFault.class);
        refusedAs(Check.SUBSYSTEM_UNKNOWN, host.nqn(), absent);
    }

    private void refusedAs(Check check, String hostNqn, String subsystemNqn) {
        List<AuthenticationFailureReport> taken = new java.util.ArrayList<>();
        await().until(() -> {
            taken.addAll(engine.takeRefusals());
            return !taken.isEmpty();
        });
        assertThat(taken).singleElement().satisfies(report -> {
            assertThat(report.check()).isEqualTo(check);
            assertThat(report.hostNqn()).isEqualTo(hostNqn);
            assertThat(report.subsystemNqn()).isEqualTo(subsystemNqn);
            assertThat(report.traddr()).startsWith("127.0.0.1:");
            assertThat(report.detail()).isNotBlank();
        });
    }

    @Test
    void shouldChangeAKeyUnderALiveAssociation() throws Exception {
        try (HostConnection live = connect()) {
            engine.apply(
                    new Step.PutHost(specs.host(host.id(), host.nqn(), host.hostIdentifier(), TargetSpecs.secret(7))));
            shouldKeepData(live);
            assertThat(catchThrowableOfType(InitiatorFault.class, this::connect))
                    .isNotNull();
            try (HostConnection fresh =
                    HostConnection.connect(identity(TargetSpecs.secret(7)), address(), subsystem.nqn(), OPTIONS)) {
                shouldKeepData(fresh);
            }
            shouldKeepData(live);
        }
    }

    @Test
    void shouldEndOnlyTheAssociationsThatAStepIsAbout() throws Exception {
        NamespaceSpec other = specs.namespace(1, device("other", SIZE_BYTES), SIZE_BYTES);
        SubsystemSpec second = subsystem("two", other);
        serve(second);
        try (HostConnection first = connect();
                HostConnection bystander = HostConnection.connect(identity(), address(), second.nqn(), OPTIONS)) {
            engine.apply(new Step.DisallowHost(subsystem.id(), subsystem.nqn(), host.id()));
            await().until(() -> first.broken().isPresent());
            shouldKeepData(bystander);
            assertThat(catchThrowableOfType(InitiatorFault.class, this::connect))
                    .isNotNull();

            engine.apply(new Step.AllowHost(subsystem.id(), subsystem.nqn(), host.id()));
            try (HostConnection again = connect()) {
                engine.apply(new Step.Unlink(subsystem.id(), subsystem.nqn(), listener.id()));
                await().until(() -> again.broken().isPresent());
                shouldKeepData(bystander);
            }
            engine.apply(new Step.RemoveListener(
                    listener.id(), listener.traddr(), address().getPort()));
            await().until(() -> bystander.broken().isPresent());
        }
    }

    @Test
    void shouldTellHostsThatANamespaceHasGrown() throws Exception {
        try (HostConnection connection = connect()) {
            connection.enableEvents();
            CompletableFuture<Completion> event = connection.nextEvent();
            device("disk", 2 * SIZE_BYTES);
            engine.apply(new Step.ResizeNamespace(
                    subsystem.id(), subsystem.nqn(), namespace.id(), namespace.nsid(), 2 * SIZE_BYTES));

            assertThat(event.get(10, TimeUnit.SECONDS).result() & 0xFFFFFF).isEqualTo(0x040002);
            MemorySegment changed = Arena.ofAuto().allocate(4096);
            connection.getLogPage(AdminCommands.LOG_CHANGED_NAMESPACES, changed);
            assertThat(changed.get(ValueLayout.JAVA_INT, 0)).isEqualTo(1);
            NamespaceData seen = connection.identifyNamespaces().getFirst();
            assertThat(seen.sizeBytes()).isEqualTo(2 * SIZE_BYTES);
            connection.write(seen, seen.blocks() - 8, random(8 * seen.lbaBytes()));
        }
        EngineFault shrink = catchThrowableOfType(
                EngineFault.class,
                () -> engine.apply(new Step.ResizeNamespace(
                        subsystem.id(), subsystem.nqn(), namespace.id(), namespace.nsid(), SIZE_BYTES)));
        assertThat(shrink.reason().code()).isEqualTo("namespace.shrink");
    }

    @Test
    void shouldStopServingADeviceThatHasGoneAndTakeItsSuccessor() throws Exception {
        try (HostConnection connection = connect()) {
            NamespaceData seen = connection.identifyNamespaces().getFirst();
            connection.write(seen, 0, random(4096));
            Files.delete(namespace.device());
            assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                    .isEmpty();
            assertThat(catchThrowableOfType(InitiatorFault.class, () -> connection.write(seen, 0, random(4096))))
                    .as("nothing is acknowledged that would be lost")
                    .isNotNull();
            Step add = new Step.AddNamespace(subsystem.id(), subsystem.nqn(), namespace);
            EngineFault absent = catchThrowableOfType(EngineFault.class, () -> engine.apply(add));
            assertThat(absent.kind()).isEqualTo(EngineFault.Kind.NOT_YET);

            device("disk", SIZE_BYTES);
            engine.apply(add);
            assertThat(engine.observe().subsystems().get(subsystem.id()).namespaces())
                    .containsOnlyKeys(namespace.id());
            shouldKeepData(connection);
        }
    }

    @Test
    void shouldWaitForAnAddressAndListenOnceItIsThere() throws Exception {
        ListenerSpec late = specs.listener(new ListenerId(specs.uuid()), "192.0.2.77", 0);
        Step add = new Step.AddListener(late);
        EngineFault fault = catchThrowableOfType(EngineFault.class, () -> engine.apply(add));
        assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("listener.address_absent");
        assertThat(fault.reason().text()).contains("192.0.2.77", "EADDRNOTAVAIL");
        try (HostConnection other = connect()) {
            shouldKeepData(other);
        }

        assumeThat(ip("add")).as("addresses can be added here").isTrue();
        try {
            engine.apply(add);
            assertThat(engine.observe().listeners()).containsKey(late.id());
            ip("del");
            assertThat(engine.observe().listeners()).as("its address has gone").doesNotContainKey(late.id());
            assertThat(catchThrowableOfType(EngineFault.class, () -> engine.apply(add))
                            .kind())
                    .isEqualTo(EngineFault.Kind.NOT_YET);
            ip("add");
            engine.apply(add);
            assertThat(engine.observe().listeners()).containsKey(late.id());
        } finally {
            ip("del");
        }
    }

    private static boolean ip(String what) throws InterruptedException {
        try {
            return new ProcessBuilder("ip", "addr", what, "192.0.2.77/32", "dev", "lo")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldSayWhoToLookForWhenAPortIsTaken() throws Exception {
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ListenerSpec wanted = specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", holder.getLocalPort());
            EngineFault fault =
                    catchThrowableOfType(EngineFault.class, () -> engine.apply(new Step.AddListener(wanted)));
            assertThat(fault.kind()).isEqualTo(EngineFault.Kind.NOT_YET);
            assertThat(fault.reason().code()).isEqualTo("listener.port_in_use");
            assertThat(fault.reason().text()).contains("ss -ltnp", Integer.toString(holder.getLocalPort()));
        }
    }

    @Test
    void shouldServeOnIpv6AndAdvertiseItAsSuch() throws Exception {
        ListenerSpec six = new ListenerSpec(new ListenerId(specs.uuid()), Transport.TCP, AddressFamily.IPV6, "::1", 0);
        engine.apply(new Step.AddListener(six));
        engine.apply(new Step.Link(subsystem.id(), subsystem.nqn(), six.id()));
        InetSocketAddress bound = engine.address(six.id()).orElseThrow();

        List<DiscoveryEntry> entries =
                HostConnection.discover(identity(), bound, OPTIONS).entries();
        assertThat(entries)
                .filteredOn(entry -> entry.subsystemNqn().equals(subsystem.nqn()))
                .extracting(DiscoveryEntry::traddr)
                .contains("::1");
        try (HostConnection connection = HostConnection.connect(identity(), bound, subsystem.nqn(), OPTIONS)) {
            shouldKeepData(connection);
        }
        engine.apply(new Step.RemoveListener(six.id(), six.traddr(), bound.getPort()));
        try (HostConnection connection = connect()) {
            shouldKeepData(connection);
        }
    }

    @Test
    void shouldShowAHostOnlyWhatItMayUse() throws Exception {
        HostIdentity stranger =
                new HostIdentity("nqn.2026-01.io.fairlead:stranger", UUID.randomUUID(), Optional.empty());
        assertThat(HostConnection.discover(identity(), address(), OPTIONS).entries())
                .extracting(DiscoveryEntry::subsystemNqn)
                .contains(subsystem.nqn());
        assertThat(HostConnection.discover(stranger, address(), OPTIONS).entries())
                .extracting(DiscoveryEntry::subsystemNqn)
                .doesNotContain(subsystem.nqn());
    }
}
