package io.fairlead.nvme.target;

import static io.fairlead.nvme.target.LoopbackHost.ANY_CONTROLLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.auth.AuthHost;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** In-band authentication (NVM Express Base 2.0, section 8.13) as a target demands it, and what it reports when a host fails. */
class TargetAuthenticationTest {

    private static final int AUTHENTICATION_REQUIRED = 0x191;
    private static final long ATR = 1L << 17;

    private final TargetFixture fixture = new TargetFixture();
    private final HostPolicy rightKey = HostPolicy.offeringAll(fixture.hostKey, Optional.of(fixture.controllerKey));

    private final List<RuntimeException> failures = new ArrayList<>();

    private LoopbackHost keyedHost() {
        return fixture.host(TargetFixture.KEYED_HOST, fixture.listener);
    }

    private LoopbackHost connected() {
        LoopbackHost host = keyedHost();
        Exchange connect = host.connect(0, 31, ANY_CONTROLLER, 0);
        assertThat(connect.status()).isZero();
        assertThat(connect.result() & ATR).isEqualTo(ATR);
        return host;
    }

    private LoopbackHost authenticated() {
        LoopbackHost host = connected();
        assertThat(host.authenticate(rightKey)).isInstanceOf(AuthProgress.Succeeded.class);
        return host;
    }

    @Test
    void shouldServeAHostThatProvedItselfInBothDirections() {
        LoopbackHost admin = authenticated();
        admin.enable();

        assertThat(admin.send(HostEntries.identify(1, 0)).status()).isZero();
        assertThat(fixture.refusals).isEmpty();
    }

    @Test
    void shouldDemandAuthenticationOnEachIoQueueAsWell() {
        LoopbackHost admin = authenticated();
        admin.enable();
        int cntlid = fixture.target.controllers().getFirst().cntlid();
        LoopbackHost io = keyedHost();
        Exchange connect = io.connect(1, 127, cntlid, 0);
        assertThat(connect.result()).isEqualTo(ATR | cntlid);

        assertThat(io.send(HostEntries.read(1, 0, 1, 4096)).status()).isEqualTo(AUTHENTICATION_REQUIRED);
        assertThat(io.authenticate(rightKey)).isInstanceOf(AuthProgress.Succeeded.class);
        assertThat(io.send(HostEntries.read(1, 0, 1, 4096)).status()).isZero();
    }

    @Test
    void shouldAnswerNothingElseBeforeAuthenticationIsComplete() {
        LoopbackHost host = connected();
        AuthHost exchange = host.newExchange(rightKey);
        List<MemorySegment> others = List.of(
                HostEntries.propertyGet(HostEntries.CAP, 8),
                HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED),
                HostEntries.identify(1, 0),
                HostEntries.keepAlive(),
                HostEntries.eventRequest(0x1F),
                HostEntries.disconnect());
        for (MemorySegment other : others) {
            assertThat(host.send(other).status()).isEqualTo(AUTHENTICATION_REQUIRED);
        }
        assertThat(fixture.checks()).containsExactly(Refusal.Check.KEY_NOT_PRESENTED);
        assertThat(exchange.action()).isEqualTo(AuthHost.Action.SEND);
        assertThat(host.authenticate(rightKey))
                .as("a host may still authenticate")
                .isInstanceOf(AuthProgress.Succeeded.class);
    }

    @Test
    void shouldReportAHostThatLeavesInsteadOfAuthenticating() {
        connected().transport().hangUp();

        assertThat(fixture.refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.check()).isEqualTo(Refusal.Check.KEY_NOT_PRESENTED);
            assertThat(refusal.hostNqn()).isEqualTo(TargetFixture.KEYED_HOST);
            assertThat(refusal.subsystemNqn()).isEqualTo(TargetFixture.SUBSYSTEM);
        });
        fixture.group.runTasks();
        assertThat(fixture.target.controllers()).isEmpty();
    }

    @Test
    void shouldReportAWrongKeyAndCloseTheConnection() {
        LoopbackHost host = connected();

        AuthProgress progress = host.authenticate(HostPolicy.offeringAll(fixture.otherKey, Optional.empty()));

        assertThat(progress).isInstanceOf(AuthProgress.Refused.class);
        assertThat(fixture.checks()).containsExactly(Refusal.Check.KEY_MISMATCH);
        assertThat(host.transport().isClosed()).isTrue();
        assertThat(fixture.target.controllers()).isEmpty();
    }

    @Test
    void shouldReportAHashOrGroupThatWasNotOffered() {
        LoopbackHost wrongHash = connected();
        wrongHash.authenticate(new HostPolicy(
                List.of(DhchapHash.SHA_512), List.of(DhchapGroup.values()), fixture.hostKey, Optional.empty()));
        LoopbackHost wrongGroup = connected();
        wrongGroup.authenticate(new HostPolicy(
                List.of(DhchapHash.values()), List.of(DhchapGroup.FFDHE_2048), fixture.hostKey, Optional.empty()));

        assertThat(fixture.checks())
                .containsExactly(Refusal.Check.HASH_NOT_OFFERED, Refusal.Check.DH_GROUP_NOT_OFFERED);
    }

    @Test
    void shouldReportThatItHasNoKeyToProveItselfWith() {
        fixture.target.putHost(
                new HostCredential(TargetFixture.KEYED_HOST, Optional.of(fixture.policy(Optional.empty()))));

        connected().authenticate(rightKey);

        assertThat(fixture.checks()).containsExactly(Refusal.Check.CONTROLLER_KEY_MISSING);
    }

    @Test
    void shouldReportThatTheHostRefusedItsProof() {
        LoopbackHost host = connected();

        host.authenticate(HostPolicy.offeringAll(fixture.hostKey, Optional.of(fixture.otherKey)));

        assertThat(fixture.checks()).containsExactly(Refusal.Check.CONTROLLER_PROOF_REFUSED);
        assertThat(host.transport().isClosed()).isTrue();
    }

    @Test
    void shouldReportGarbage() {
        LoopbackHost host = connected();
        byte[] garbage = new byte[64];

        host.send(HostEntries.authenticationSend(garbage.length), garbage, LoopbackTransport.Delivery.IN_CAPSULE);

        assertThat(fixture.checks()).containsExactly(Refusal.Check.PROTOCOL_ERROR);
    }

    @Test
    void shouldAuthenticateAgainWithANewKeyWhileInUse() {
        LoopbackHost admin = authenticated();
        admin.enable();
        DhchapKey newKey = DhchapKey.generate(DhchapHash.SHA_512, fixture.random);
        fixture.target.putHost(new HostCredential(
                TargetFixture.KEYED_HOST,
                Optional.of(new ControllerPolicy(
                        List.of(DhchapHash.SHA_512), List.of(DhchapGroup.NULL), newKey, Optional.empty()))));
        assertThat(admin.send(HostEntries.identify(1, 0)).status())
                .as("a new key ends nothing")
                .isZero();

        assertThat(admin.authenticate(HostPolicy.offeringAll(newKey, Optional.empty())))
                .isInstanceOf(AuthProgress.Succeeded.class);
        assertThat(admin.send(HostEntries.identify(1, 0)).status()).isZero();

        admin.authenticate(rightKey);
        assertThat(fixture.checks()).containsExactly(Refusal.Check.KEY_MISMATCH);
        assertThat(admin.transport().isClosed()).isTrue();
    }

    @Test
    void shouldGiveUpOnAHostThatTakesTooLong() {
        LoopbackHost host = connected();
        fixture.group.advanceMillis(30_000);
        host.tick();
        assertThat(host.transport().isClosed()).isFalse();

        fixture.group.advanceMillis(40_000);
        host.tick();
        fixture.group.runTasks();

        assertThat(host.transport().isClosed()).isTrue();
        assertThat(fixture.checks()).containsExactly(Refusal.Check.KEY_NOT_PRESENTED);
    }

    @Test
    void shouldNotCountTheTimeOfAuthenticationAgainstKeepAlive() {
        LoopbackHost host = keyedHost();
        host.connect(0, 31, ANY_CONTROLLER, 5000);
        fixture.group.advanceMillis(20_000);
        host.tick();
        host.authenticate(rightKey);
        host.tick();
        fixture.group.runTasks();

        assertThat(host.transport().isClosed()).isFalse();
        host.enable();
    }

    @Test
    void shouldRefuseAuthenticationOfAHostWithoutAKey() {
        LoopbackHost admin = fixture.admin();
        byte[] message = new byte[72];

        assertThat(admin.send(HostEntries.authenticationSend(72), message, LoopbackTransport.Delivery.IN_CAPSULE)
                        .status())
                .isEqualTo(0x002);
        assertThat(admin.send(HostEntries.identify(1, 0)).status()).isZero();
    }

    @Test
    void shouldEndTheConnectionWhenTheArithmeticFails() {
        RandomGenerator broken = () -> {
            throw new IllegalStateException("no entropy");
        };
        Executor remembering = task -> {
            try {
                task.run();
            } catch (IllegalStateException e) {
                failures.add(e);
            }
        };
        Target target = new Target(new TargetSettings("1.0", 8192, 5, 128, 16), remembering, broken, refusal -> {});
        target.putHost(new HostCredential(TargetFixture.KEYED_HOST, Optional.of(fixture.policy(Optional.empty()))));
        target.putSubsystem(TargetFixture.SUBSYSTEM, "FL0001", "Fairlead", SubsystemModel.Access.LISTED_HOSTS, 1, 9);
        target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.KEYED_HOST);
        target.link(TargetFixture.SUBSYSTEM, fixture.listener);
        LoopbackHost host = new LoopbackHost(
                target,
                fixture.group,
                fixture.listener,
                TargetFixture.KEYED_HOST,
                TargetFixture.HOST_ID,
                TargetFixture.SUBSYSTEM);
        host.connectAdmin();
        AuthHost exchange = host.newExchange(rightKey);
        host.authenticateOnce(exchange);

        Exchange receive = host.send(HostEntries.authenticationReceive(4096));

        assertThat(receive.status()).isEqualTo(0x006);
        assertThat(host.transport().isClosed()).isTrue();
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessage("no entropy"));
        assertThat(target.controllers()).isEmpty();
    }

    @Test
    void shouldRefuseAnotherSecurityProtocol() {
        LoopbackHost host = connected();
        MemorySegment sqe = HostEntries.authenticationReceive(4096);
        sqe.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 43, (byte) 0xEA);

        assertThat(host.send(sqe).status()).isEqualTo(0x002);
    }
}
