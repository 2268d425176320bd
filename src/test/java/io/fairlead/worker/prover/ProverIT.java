package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredNamespace;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.target.HostCredential;
import io.fairlead.nvme.target.Refusal;
import io.fairlead.nvme.target.SubsystemModel;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of the embedded engine's target: those that hold are proven, and each way not to hold has its reason. */
@Timeout(120)
class ProverIT {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicLong later = new AtomicLong();
    private final Prover prover = new Prover(InstantSource.fixed(NOW), () -> System.nanoTime() + later.get());
    private final Random random = new Random(17);
    private final DhchapKey hostKey = DhchapKey.generate(DhchapHash.SHA_256, random);
    private final DhchapKey controllerKey = DhchapKey.generate(DhchapHash.SHA_256, random);
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

    @Test
    void shouldProveAPathWithoutAuthentication() {
        PathReport report = prove(path(plainHost(), subsystem()));

        assertThat(report.state()).isEqualTo(PathReport.State.PROVEN);
        assertThat(report.reason()).isEmpty();
        PathReport.Proof proof = report.proof().orElseThrow();
        assertThat(proof.provenAt()).isEqualTo(NOW);
        assertThat(proof.traddr()).isEqualTo("127.0.0.1");
        assertThat(proof.trsvcid()).isEqualTo(address.getPort());
        assertThat(proof.authentication()).isEmpty();
        assertThat(proof.refusalWithoutKey()).isEmpty();
        assertThat(proof.namespaces()).isEqualTo(1);
        assertThat(proof.reads()).isEqualTo(64);
        assertThat(proof.p99Nanos()).isGreaterThanOrEqualTo(proof.p50Nanos()).isPositive();
    }

    @Test
    void shouldProveAPathWithAuthenticationBothWays() {
        demandKeys();

        PathReport report = prove(path(keyedHost(), subsystem()));

        assertThat(report.reason()).isEmpty();
        PathReport.Proof proof = report.proof().orElseThrow();
        assertThat(proof.authentication())
                .contains(new PathReport.Authenticated(AuthHash.SHA_384, AuthDhGroup.FFDHE_2048, true));
        assertThat(proof.refusalWithoutKey()).contains(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldRecogniseItsOwnAttemptWithoutTheKeyAmongTheRefusals(String traddr) throws Exception {
        InetSocketAddress here = target.listen(traddr);
        demandKeys();

        prover.prove(new PathTarget(pathId(), Transport.TCP, keyedHost(), subsystem(), traddr, here.getPort()));

        assertThat(target.refusals).extracting(Refusal::check).containsExactly(Refusal.Check.KEY_NOT_PRESENTED);
        assertThat(prover.claimOwnProbe(traddr + ":1")).isFalse();
        assertThat(prover.claimOwnProbe("nonsense")).isFalse();
        String peer = target.refusals.getFirst().peerAddress();
        assertThat(prover.claimOwnProbe(peer)).isTrue();
        assertThat(prover.claimOwnProbe(peer))
                .as("a host that is refused from the same port afterwards")
                .isFalse();
    }

    @Test
    void shouldNotTakeAHostForItselfThatHasItsPortLater() throws Exception {
        InetSocketAddress here = target.listen("127.0.0.1");
        demandKeys();
        prover.prove(new PathTarget(pathId(), Transport.TCP, keyedHost(), subsystem(), "127.0.0.1", here.getPort()));

        later.set(Duration.ofMinutes(1).toNanos());

        assertThat(prover.claimOwnProbe(target.refusals.getFirst().peerAddress()))
                .isFalse();
    }

    @Test
    void shouldNotWriteToTheNamespace() throws Exception {
        byte[] content = new byte[LiveTarget.BLOCKS * LiveTarget.BLOCK_BYTES];
        random.nextBytes(content);
        try (HostConnection connection =
                HostConnection.connect(LiveTarget.host(), address, LiveTarget.SUBSYSTEM, HostOptions.DEFAULT)) {
            connection.write(connection.identifyNamespaces().getFirst(), 0, MemorySegment.ofArray(content));

            prove(path(plainHost(), subsystem()));

            byte[] after = new byte[content.length];
            connection.read(connection.identifyNamespaces().getFirst(), 0, MemorySegment.ofArray(after));
            assertThat(after).isEqualTo(content);
        }
    }

    @Test
    void shouldProveAWildcardListenerThroughLoopback() throws Exception {
        for (String wildcard : List.of("0.0.0.0", "::")) {
            InetSocketAddress everywhere = target.listen(wildcard);

            PathReport report = prover.prove(
                    new PathTarget(pathId(), Transport.TCP, plainHost(), subsystem(), wildcard, everywhere.getPort()));

            assertThat(report.reason()).as(wildcard).isEmpty();
            assertThat(report.state()).isEqualTo(PathReport.State.PROVEN);
        }
    }

    @Test
    void shouldNotClaimToProveWhatItCannotTry() {
        PathReport rdma = prover.prove(
                new PathTarget(pathId(), Transport.RDMA, plainHost(), subsystem(), "127.0.0.1", address.getPort()));
        PathReport notBound =
                prover.prove(new PathTarget(pathId(), Transport.TCP, plainHost(), subsystem(), "127.0.0.1", 0));

        assertThat(rdma.state()).isEqualTo(PathReport.State.UNPROVEN);
        assertThat(codeOf(rdma)).isEqualTo("path.no_initiator");
        assertThat(notBound.state()).isEqualTo(PathReport.State.PENDING);
        assertThat(codeOf(notBound)).isEqualTo("path.listener_not_ready");
    }

    @Test
    void shouldFailWhenTheSubsystemLetsTheHostInWithoutItsKey() {
        assertFailed(path(keyedHost(), subsystem()), "path.open_without_key");
    }

    @Test
    void shouldFailWhenTheTargetHasAnotherKey() {
        demandKeys();
        DesiredHost other = new DesiredHost(
                hostId(),
                LiveTarget.HOST,
                LiveTarget.HOST_ID,
                Optional.of(new DesiredHost.Authentication(
                        secret(controllerKey), Optional.empty(), AuthHash.SHA_384, AuthDhGroup.FFDHE_2048)));

        assertFailed(path(other, subsystem()), "path.authentication_refused");
    }

    @Test
    void shouldFailWhenTheTargetDemandsAKeyThatIsNotIntended() {
        demandKeys();

        assertFailed(path(plainHost(), subsystem()), "path.key_required");
    }

    @Test
    void shouldFailWhenTheHostDoesNotFindTheSubsystem() {
        target.target.disallowHost(LiveTarget.SUBSYSTEM, LiveTarget.HOST);

        assertFailed(path(plainHost(), subsystem()), "path.not_discoverable");
    }

    @Test
    void shouldFailWhenNobodyAnswers() {
        target.vanish();

        assertFailed(path(plainHost(), subsystem()), "path.unreachable");
    }

    @ParameterizedTest
    @CsvSource({"uuid, UUID", "nguid, NGUID", "eui64, EUI-64", "size, size", "lba, block size"})
    void shouldFailWhenTheNamespaceIsNotTheOneThatIsIntended(String what, String words) {
        DesiredNamespace wanted = new DesiredNamespace(
                namespaceId(),
                1,
                what.equals("uuid") ? new UUID(9, 9) : LiveTarget.NAMESPACE_UUID,
                what.equals("nguid") ? "ff".repeat(16) : "0123456789abcdef0123456789abcdef",
                what.equals("eui64") ? "ff".repeat(8) : "00".repeat(8),
                (long) LiveTarget.BLOCKS * LiveTarget.BLOCK_BYTES * (what.equals("size") ? 2 : 1),
                what.equals("lba") ? 512 : LiveTarget.BLOCK_BYTES,
                1,
                new DesiredNamespace.Backing.OfVolume(new VolumeId(new UUID(0, 7))));

        PathReport report = assertFailed(path(plainHost(), subsystem(wanted)), "path.identity_mismatch");

        assertThat(report.reason().orElseThrow().text()).contains(words);
    }

    @Test
    void shouldFailWhenANamespaceIsMissingOrTooMany() {
        DesiredNamespace second = new DesiredNamespace(
                namespaceId(),
                2,
                new UUID(1, 1),
                "00".repeat(16),
                "00".repeat(8),
                4096,
                4096,
                1,
                new DesiredNamespace.Backing.OfVolume(new VolumeId(new UUID(0, 7))));

        assertFailed(path(plainHost(), subsystem(namespace(), second)), "path.namespace_missing");
        assertFailed(path(plainHost(), subsystem(new DesiredNamespace[0])), "path.namespace_unexpected");
    }

    @Test
    void shouldFailWhenTheKeyItIsGivenIsNone() {
        DesiredHost host = new DesiredHost(
                hostId(),
                LiveTarget.HOST,
                LiveTarget.HOST_ID,
                Optional.of(new DesiredHost.Authentication(
                        new DhchapSecret("DHHC-1:01:QUJD:"), Optional.empty(), AuthHash.SHA_256, AuthDhGroup.NULL)));

        PathReport report = assertFailed(path(host, subsystem()), "path.key_malformed");

        assertThat(report.toString()).doesNotContain("QUJD");
    }

    @Test
    void shouldTellAnOpenSubsystemFromOneThatListsItsHosts() {
        target.target.putSubsystem(
                LiveTarget.SUBSYSTEM, "SERIAL-1", "Fairlead", SubsystemModel.Access.ANY_HOST, 1, 1000);
        target.target.disallowHost(LiveTarget.SUBSYSTEM, LiveTarget.HOST);
        target.target.removeHost(LiveTarget.HOST);

        assertThat(prove(path(plainHost(), subsystem())).state()).isEqualTo(PathReport.State.PROVEN);
    }

    @Test
    void shouldNotTakeAnotherHashOrGroupThanTheOneThatIsWanted() {
        target.demand(new ControllerPolicy(
                List.of(DhchapHash.SHA_384), List.of(DhchapGroup.NULL), hostKey, Optional.of(controllerKey)));

        PathReport report = prove(path(keyedHost(), subsystem()));

        assertThat(report.state()).isEqualTo(PathReport.State.FAILED);
        assertThat(report.reason().orElseThrow().code()).isEqualTo("path.not_authenticated");
        assertThat(report.reason().orElseThrow().text()).contains("sha384 and null", "sha384 and ffdhe2048");
    }

    private void demandKeys() {
        target.target.putHost(new HostCredential(
                LiveTarget.HOST,
                Optional.of(new ControllerPolicy(
                        List.of(DhchapHash.SHA_384),
                        List.of(DhchapGroup.FFDHE_2048),
                        hostKey,
                        Optional.of(controllerKey)))));
    }

    private PathReport prove(PathTarget path) {
        return prover.prove(path);
    }

    private PathReport assertFailed(PathTarget path, String code) {
        PathReport report = prover.prove(path);
        assertThat(report.state()).isEqualTo(PathReport.State.FAILED);
        assertThat(codeOf(report)).isEqualTo(code);
        assertThat(report.proof()).isEmpty();
        return report;
    }

    private static String codeOf(PathReport report) {
        return report.reason().orElseThrow().code();
    }

    private PathTarget path(DesiredHost host, DesiredSubsystem subsystem) {
        return new PathTarget(pathId(), Transport.TCP, host, subsystem, "127.0.0.1", address.getPort());
    }

    private static DesiredHost plainHost() {
        return new DesiredHost(hostId(), LiveTarget.HOST, LiveTarget.HOST_ID, Optional.empty());
    }

    private DesiredHost keyedHost() {
        return new DesiredHost(
                hostId(),
                LiveTarget.HOST,
                LiveTarget.HOST_ID,
                Optional.of(new DesiredHost.Authentication(
                        secret(hostKey),
                        Optional.of(secret(controllerKey)),
                        AuthHash.SHA_384,
                        AuthDhGroup.FFDHE_2048)));
    }

    private static DhchapSecret secret(DhchapKey key) {
        return new DhchapSecret(key.reveal());
    }

    private static DesiredSubsystem subsystem() {
        return subsystem(namespace());
    }

    private static DesiredSubsystem subsystem(DesiredNamespace... namespaces) {
        return new DesiredSubsystem(
                new SubsystemId(new UUID(0, 1)),
                LiveTarget.SUBSYSTEM,
                "SERIAL-1",
                "Fairlead",
                DesiredSubsystem.Access.LISTED_HOSTS,
                List.of(namespaces),
                List.of(),
                List.of());
    }

    private static DesiredNamespace namespace() {
        return new DesiredNamespace(
                namespaceId(),
                1,
                LiveTarget.NAMESPACE_UUID,
                "0123456789abcdef0123456789abcdef",
                "00".repeat(8),
                (long) LiveTarget.BLOCKS * LiveTarget.BLOCK_BYTES,
                LiveTarget.BLOCK_BYTES,
                1,
                new DesiredNamespace.Backing.OfVolume(new VolumeId(new UUID(0, 7))));
    }

    private static PathId pathId() {
        return new PathId(new UUID(0, 2));
    }

    private static HostId hostId() {
        return new HostId(new UUID(0, 3));
    }

    private static NamespaceId namespaceId() {
        return new NamespaceId(new UUID(0, 4));
    }
}
