package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.nvme.auth.AuthCheck;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.AuthProgress.Direction;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.AdminCommands;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.DiscoveryLog;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.initiator.NvmCommands;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.target.NamespaceModel;
import io.fairlead.nvme.target.Refusal;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.tcp.Digests;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The host against the target of the embedded engine, over TCP on loopback. */
@Timeout(120)
class InitiatorTcpIT {

    private static final HostOptions OPTIONS = HostOptions.DEFAULT;

    private final Random random = new Random(11);
    private final DhchapKey hostKey = DhchapKey.generate(DhchapHash.SHA_512, random);
    private final DhchapKey controllerKey = DhchapKey.generate(DhchapHash.SHA_256, random);
    private final DhchapKey otherKey = DhchapKey.generate(DhchapHash.SHA_384, random);
    private LiveTarget target;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws Exception {
        target = new LiveTarget();
        address = target.listen("127.0.0.1");
    }

    @AfterEach
    void stop() {
        target.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAuthenticateWithEveryHashInEveryGroupAndDirection(DhchapHash hash) throws Exception {
        for (DhchapGroup group : DhchapGroup.values()) {
            target.demand(new ControllerPolicy(List.of(hash), List.of(group), hostKey, Optional.of(controllerKey)));
            for (Direction direction : Direction.values()) {
                Optional<DhchapKey> wanted =
                        direction == Direction.TWO_WAY ? Optional.of(controllerKey) : Optional.empty();
                try (HostConnection connection = connect(withKeys(hostKey, wanted))) {
                    assertThat(connection.authentication())
                            .contains(new AuthProgress.Succeeded(hash, group, direction));
                    assertThat(connection.identifyNamespaces()).hasSize(1);
                }
            }
        }
        assertThat(target.refusals).isEmpty();
    }

    @Test
    void shouldNameTheCheckThatFailedOnBothSides() {
        ControllerPolicy demanded = new ControllerPolicy(
                List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), hostKey, Optional.of(controllerKey));
        ControllerPolicy oneWay =
                new ControllerPolicy(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), hostKey, Optional.empty());

        target.demand(demanded);
        assertRefused(
                LiveTarget.host(), Kind.KEY_REQUIRED, AuthCheck.KEY_NOT_PRESENTED, Refusal.Check.KEY_NOT_PRESENTED);
        assertRefused(
                withKeys(otherKey, Optional.empty()),
                Kind.AUTHENTICATION_REFUSED,
                AuthCheck.KEY_MISMATCH,
                Refusal.Check.KEY_MISMATCH);
        assertRefused(
                withKeys(hostKey, Optional.of(otherKey)),
                Kind.AUTHENTICATION_REFUSED,
                AuthCheck.CONTROLLER_PROOF_REFUSED,
                Refusal.Check.CONTROLLER_PROOF_REFUSED);
        assertRefused(
                offering(List.of(DhchapHash.SHA_512), List.of(DhchapGroup.NULL)),
                Kind.AUTHENTICATION_REFUSED,
                AuthCheck.HASH_NOT_OFFERED,
                Refusal.Check.HASH_NOT_OFFERED);
        assertRefused(
                offering(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.FFDHE_2048)),
                Kind.AUTHENTICATION_REFUSED,
                AuthCheck.DH_GROUP_NOT_OFFERED,
                Refusal.Check.DH_GROUP_NOT_OFFERED);
        target.demand(oneWay);
        assertRefused(
                withKeys(hostKey, Optional.of(controllerKey)),
                Kind.AUTHENTICATION_REFUSED,
                AuthCheck.KEY_MISMATCH,
                Refusal.Check.CONTROLLER_KEY_MISSING);
    }

    private void assertRefused(HostIdentity host, Kind kind, AuthCheck onHost, Refusal.Check onTarget) {
        target.refusals.clear();

        InitiatorFault fault = faultOf(() -> connect(host));

        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.check()).contains(onHost);
        await().untilAsserted(() ->
                assertThat(target.refusals).extracting(Refusal::check).containsExactly(onTarget));
    }

    @Test
    void shouldSayThatAHostIsNotAllowedOrASubsystemNotThere() {
        HostIdentity stranger = new HostIdentity("nqn.2026-01.io.fairlead:stranger", new UUID(3, 4), Optional.empty());

        assertThat(faultOf(() -> connect(stranger)).kind()).isEqualTo(Kind.HOST_NOT_ALLOWED);
        assertThat(faultOf(() -> HostConnection.connect(
                                LiveTarget.host(), address, "nqn.2026-01.io.fairlead:absent", OPTIONS))
                        .kind())
                .isEqualTo(Kind.SUBSYSTEM_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadBackWhatItWroteWithEveryDigest(Digests digests) throws Exception {
        try (HostConnection connection = HostConnection.connect(
                LiveTarget.host(), address, LiveTarget.SUBSYSTEM, OPTIONS.withDigests(digests))) {
            NamespaceData namespace = connection.identifyNamespaces().getFirst();
            for (int bytes : new int[] {4096, 8192, 128 << 10, 1 << 20}) {
                MemorySegment written = bytes(bytes);
                MemorySegment read = MemorySegment.ofArray(new byte[bytes]);

                connection.write(namespace, 3, written);
                connection.flush(namespace);
                connection.read(namespace, 3, read);

                assertThat(written.mismatch(read)).isEqualTo(-1);
            }
        }
    }

    @Test
    void shouldIdentifyTheNamespace() throws Exception {
        try (HostConnection connection = connect(LiveTarget.host())) {
            NamespaceData namespace = connection.identifyNamespaces().getFirst();

            assertThat(namespace.nsid()).isEqualTo(1);
            assertThat(namespace.uuid()).contains(LiveTarget.NAMESPACE_UUID);
            assertThat(namespace.nguid()).isEqualTo("0123456789abcdef0123456789abcdef");
            assertThat(namespace.sizeBytes()).isEqualTo((long) LiveTarget.BLOCKS * LiveTarget.BLOCK_BYTES);
            assertThat(connection.controller().serial()).isEqualTo("SERIAL-1");
        }
    }

    @Test
    void shouldZeroAndDeallocateBlocks() throws Exception {
        try (HostConnection connection = connect(LiveTarget.host())) {
            NamespaceData namespace = connection.identifyNamespaces().getFirst();
            connection.write(namespace, 0, bytes(16 * 4096));
            connection.execute("Write Zeroes", NvmCommands.writeZeroes(1, 2, 3));
            connection.execute("Deallocate", NvmCommands.deallocate(1, 8, 4));
            MemorySegment read = MemorySegment.ofArray(new byte[16 * 4096]);

            connection.read(namespace, 0, read);

            MemorySegment zeros = MemorySegment.ofArray(new byte[4 * 4096]);
            assertThat(read.asSlice(2 * 4096, 3 * 4096).mismatch(zeros.asSlice(0, 3 * 4096)))
                    .isEqualTo(-1);
            assertThat(read.asSlice(8 * 4096, 4 * 4096).mismatch(zeros)).isEqualTo(-1);
            assertThat(read.asSlice(5 * 4096, 4096).mismatch(zeros.asSlice(0, 4096)))
                    .isNotEqualTo(-1);
        }
    }

    @Test
    void shouldTellAnErrorOfTheTargetAndGoOn() throws Exception {
        try (HostConnection connection = connect(LiveTarget.host())) {
            NamespaceData namespace = connection.identifyNamespaces().getFirst();

            InitiatorFault fault = faultOf(() -> connection.read(namespace, LiveTarget.BLOCKS, bytes(4096)));

            assertThat(fault.kind()).isEqualTo(Kind.COMMAND_FAILED);
            assertThat(fault).hasMessageContaining("beyond the end");
            connection.read(namespace, 0, bytes(4096));
        }
    }

    @Test
    void shouldKeepManyCommandsInFlightOnSeveralQueues() throws Exception {
        try (HostConnection connection =
                HostConnection.connect(LiveTarget.host(), address, LiveTarget.SUBSYSTEM, OPTIONS.withQueues(3, 16))) {
            assertThat(connection.ioQueueCount()).isEqualTo(3);
            List<CompletableFuture<Completion>> writes = new ArrayList<>();
            List<MemorySegment> written = new ArrayList<>();
            for (int index = 0; index < 300; index++) {
                written.add(bytes(4096));
                writes.add(connection.submit(
                        index % 3,
                        NvmCommands.write(1, index, 4096, written.get(index), NvmCommands.Durability.CACHED)));
            }
            for (CompletableFuture<Completion> write : writes) {
                assertThat(write.join().succeeded()).isTrue();
            }
            MemorySegment read = MemorySegment.ofArray(new byte[300 * 4096]);
            connection.read(connection.identifyNamespaces().getFirst(), 0, read);
            for (int index = 0; index < 300; index++) {
                assertThat(read.asSlice(index * 4096L, 4096).mismatch(written.get(index)))
                        .isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldDiscoverMoreEntriesThanFitInOneCommand(String traddr) throws Exception {
        InetSocketAddress here = target.listen(traddr);
        UUID listener = target.listenerId();
        for (int index = 0; index < 9; index++) {
            String nqn = "nqn.2026-01.io.fairlead:more-" + index;
            target.target.putSubsystem(nqn, "S" + index, "Fairlead", SubsystemModel.Access.ANY_HOST, 1, 1000);
            target.target.link(nqn, listener);
        }

        DiscoveryLog log = HostConnection.discover(LiveTarget.host(), here, OPTIONS);

        assertThat(log.entries())
                .filteredOn(entry -> entry.subsystemNqn().startsWith("nqn.2026-01.io.fairlead:more-"))
                .hasSize(9);
        assertThat(log.entries())
                .anyMatch(entry -> entry.subsystemNqn().equals(LiveTarget.SUBSYSTEM)
                        && entry.traddr().equals(traddr)
                        && entry.trsvcid().equals(Integer.toString(here.getPort()))
                        && entry.addressFamily() == (traddr.equals("::1") ? 2 : 1));
    }

    @Test
    void shouldBeToldOfANewNamespace() throws Exception {
        try (HostConnection connection = connect(LiveTarget.host())) {
            connection.enableEvents();
            CompletableFuture<Completion> event = connection.nextEvent();

            target.target.addNamespace(
                    LiveTarget.SUBSYSTEM,
                    new NamespaceModel(2, new UUID(5, 6), new byte[16], new byte[8], 1, target.device));

            // Notice, namespace attribute changed, log page 04h.
            assertThat(event.join().result() & 0xFF_FFFF).isEqualTo(0x04_0002);
            MemorySegment changed = MemorySegment.ofArray(new byte[4096]);
            connection.getLogPage(AdminCommands.LOG_CHANGED_NAMESPACES, changed);
            assertThat(changed.get(ValueLayout.JAVA_INT_UNALIGNED, 0)).isEqualTo(2);
            assertThat(connection.identifyNamespaces()).hasSize(2);
        }
    }

    @Test
    void shouldFailEverythingInFlightWhenTheTargetVanishes() throws Exception {
        HostConnection connection = connect(LiveTarget.host());
        CompletableFuture<Completion> event = connection.nextEvent();

        target.vanish();

        assertThat(faultOf(() -> TcpHostQueue.await(event)).kind()).isEqualTo(Kind.CONNECTION_LOST);
        await().until(() -> connection.broken().isPresent());
        assertThat(faultOf(connection::keepAlive).kind()).isEqualTo(Kind.CONNECTION_LOST);
        connection.close();
        assertThat(faultOf(() -> connect(LiveTarget.host())).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void shouldLeaveNoControllerBehind() throws Exception {
        connect(LiveTarget.host()).close();
        connect(LiveTarget.host()).abort();

        await().until(() -> target.target.controllers().isEmpty());
    }

    private HostConnection connect(HostIdentity host) throws InitiatorFault {
        return HostConnection.connect(host, address, LiveTarget.SUBSYSTEM, OPTIONS);
    }

    private static HostIdentity withKeys(DhchapKey hostKey, Optional<DhchapKey> controllerKey) {
        return new HostIdentity(
                LiveTarget.HOST, LiveTarget.HOST_ID, Optional.of(HostPolicy.offeringAll(hostKey, controllerKey)));
    }

    private HostIdentity offering(List<DhchapHash> hashes, List<DhchapGroup> groups) {
        return new HostIdentity(
                LiveTarget.HOST,
                LiveTarget.HOST_ID,
                Optional.of(new HostPolicy(hashes, groups, hostKey, Optional.empty())));
    }

    private MemorySegment bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    /** Work that may fail. */
    private interface Work {
        void run() throws InitiatorFault;
    }

    private static InitiatorFault faultOf(Work work) {
        InitiatorFault fault = catchThrowableOfType(InitiatorFault.class, work::run);
        assertThat(fault).isNotNull();
        return fault;
    }
}
