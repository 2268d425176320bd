package io.fairlead.nvme.target;

import static io.fairlead.nvme.target.LoopbackHost.ANY_CONTROLLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Connect: whom the target lets in, and with which words it refuses (NVM Express Base 2.0, section 6.3). */
class TargetConnectTest {

    private static final int INVALID_PARAMETERS = 0x182;
    private static final int INVALID_HOST = 0x184;
    private static final int IN_DATA = 1 << 16;

    private final TargetFixture fixture = new TargetFixture();

    @Test
    void shouldGiveAListedHostAControllerOfTheWindow() {
        Exchange connect = fixture.host().connect(0, 31, ANY_CONTROLLER, 5000);

        assertThat(connect.status()).isZero();
        assertThat(connect.result()).isEqualTo(TargetFixture.CNTLID_FIRST);
        assertThat(fixture.target.controllers())
                .singleElement()
                .satisfies(live -> assertThat(live.hostNqn()).isEqualTo(TargetFixture.HOST));
    }

    @Test
    void shouldTakeConnectDataThatHasToBeFetched() {
        LoopbackHost host = fixture.host();
        Exchange connect = host.send(
                HostEntries.transport(HostEntries.connect(0, 31, 0, 0), 1024),
                HostEntries.connectData(
                        TargetFixture.HOST_ID, ANY_CONTROLLER, TargetFixture.SUBSYSTEM, TargetFixture.HOST),
                Delivery.WHEN_FETCHED);

        assertThat(connect.status()).isZero();
    }

    @Test
    void shouldNameTheSubsystemFieldWhenTheSubsystemIsUnknown() {
        Exchange connect = fixture.hostAsking("nqn.2026-01.io.fairlead:nobody").connect(0, 31, ANY_CONTROLLER, 0);

        assertThat(connect.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(connect.result()).isEqualTo(IN_DATA | 256);
        assertThat(fixture.checks()).containsExactly(Refusal.Check.SUBSYSTEM_UNKNOWN);
    }

    @Test
    void shouldNotServeASubsystemOnAListenerThatItIsNotLinkedTo() {
        Exchange connect =
                fixture.host(TargetFixture.HOST, fixture.otherListener).connect(0, 31, ANY_CONTROLLER, 0);

        assertThat(connect.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(connect.result()).isEqualTo(IN_DATA | 256);
    }

    @Test
    void shouldRefuseAHostThatIsNotListedForGood() {
        Exchange connect =
                fixture.host(TargetFixture.STRANGER, fixture.listener).connect(0, 31, ANY_CONTROLLER, 0);

        assertThat(connect.status()).isEqualTo(INVALID_HOST);
        assertThat(connect.mustNotRetry()).isTrue();
        assertThat(fixture.refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.check()).isEqualTo(Refusal.Check.HOST_NOT_ALLOWED);
            assertThat(refusal.hostNqn()).isEqualTo(TargetFixture.STRANGER);
            assertThat(refusal.subsystemNqn()).isEqualTo(TargetFixture.SUBSYSTEM);
            assertThat(refusal.peerAddress()).isEqualTo("192.0.2.1:40312");
        });
    }

    @Test
    void shouldNotLetInAListedHostWhoseDemandsAreUnknown() {
        fixture.target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.STRANGER);

        Exchange connect =
                fixture.host(TargetFixture.STRANGER, fixture.listener).connect(0, 31, ANY_CONTROLLER, 0);

        assertThat(connect.status()).isEqualTo(INVALID_HOST);
    }

    @Test
    void shouldLetInAnyHostWhereTheSubsystemSaysSo() {
        fixture.target.putSubsystem(
                TargetFixture.SUBSYSTEM, "FL0001", "Fairlead", SubsystemModel.Access.ANY_HOST, 100, 103);

        assertThat(fixture.host(TargetFixture.STRANGER, fixture.listener)
                        .connect(0, 31, ANY_CONTROLLER, 0)
                        .status())
                .isZero();
    }

    @Test
    void shouldRefuseAnotherRecordFormat() {
        LoopbackHost host = fixture.host();
        var sqe = HostEntries.connect(0, 31, 0, 0);
        sqe.set(HostEntries.U16, 40, (short) 1);

        assertThat(host.send(
                                sqe,
                                HostEntries.connectData(
                                        TargetFixture.HOST_ID,
                                        ANY_CONTROLLER,
                                        TargetFixture.SUBSYSTEM,
                                        TargetFixture.HOST),
                                Delivery.IN_CAPSULE)
                        .status())
                .isEqualTo(0x180);
    }

    @Test
    void shouldNameTheQueueSizeWhenItDoesNotFit() {
        for (int size : new int[] {0, 128, 0xFFFF}) {
            Exchange connect = fixture.host().connect(0, size, ANY_CONTROLLER, 0);
            assertThat(connect.status()).isEqualTo(INVALID_PARAMETERS);
            assertThat(connect.result()).isEqualTo(44);
        }
    }

    @Test
    void shouldRefuseAStaticControllerId() {
        Exchange connect = fixture.host().connect(0, 31, 100, 0);

        assertThat(connect.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(connect.result()).isEqualTo(IN_DATA | 16);
    }

    @Test
    void shouldNeverGiveOutALiveControllerIdAndStayInTheWindow() {
        List<Integer> live = new ArrayList<>();
        List<LoopbackHost> hosts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LoopbackHost host = fixture.host();
            hosts.add(host);
            live.add(host.connectAdmin());
        }
        assertThat(live).containsExactlyInAnyOrder(100, 101, 102, 103);

        Exchange fifth = fixture.host().connect(0, 31, ANY_CONTROLLER, 0);
        assertThat(fifth.status()).isEqualTo(0x181);
        assertThat(fifth.mustNotRetry()).isFalse();

        hosts.get(2).transport().hangUp();
        assertThat(fixture.host().connectAdmin()).isEqualTo(live.get(2));
    }

    @Test
    void shouldConnectIoQueuesOnlyOfALiveEnabledControllerOfTheSameHost() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        assertThat(fixture.host().connect(1, 127, cntlid, 0).status()).isEqualTo(0x00C);
        admin.enable();

        Exchange unknown = fixture.host().connect(1, 127, cntlid + 1, 0);
        assertThat(unknown.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(unknown.result()).isEqualTo(IN_DATA | 16);

        Exchange stranger =
                fixture.host(TargetFixture.STRANGER, fixture.listener).connect(1, 127, cntlid, 0);
        assertThat(stranger.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(stranger.result()).isEqualTo(IN_DATA | 512);

        assertThat(fixture.host().connect(1, 127, cntlid, 0).status()).isZero();
        Exchange taken = fixture.host().connect(1, 127, cntlid, 0);
        assertThat(taken.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(taken.result()).isEqualTo(42);
        assertThat(fixture.host().connect(17, 127, cntlid, 0).status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(fixture.target.controllers())
                .singleElement()
                .satisfies(view -> assertThat(view.ioQueues()).isEqualTo(1));
    }

    @Test
    void shouldTakeNothingButConnectBeforeConnect() {
        LoopbackHost host = fixture.host();

        assertThat(host.send(HostEntries.keepAlive()).status()).isEqualTo(0x00C);
        assertThat(host.send(HostEntries.read(1, 0, 1, 4096)).status()).isEqualTo(0x00C);
        assertThat(host.send(HostEntries.propertyGet(HostEntries.CAP, 8)).status())
                .isEqualTo(0x00C);
        assertThat(host.send(HostEntries.authenticationReceive(4096)).status()).isEqualTo(0x00C);
        host.connectAdmin();
        assertThat(host.connect(0, 31, ANY_CONTROLLER, 0).status()).isEqualTo(0x00C);
    }

    @Test
    void shouldCountTheQueueHeadAndWrapItAtTheSizeOfConnect() {
        LoopbackHost host = fixture.host();
        Exchange connect = host.connect(0, 3, ANY_CONTROLLER, 0);
        List<Integer> heads = new ArrayList<>(List.of(connect.sqhd()));
        for (int i = 0; i < 5; i++) {
            heads.add(host.send(HostEntries.propertyGet(HostEntries.VS, 4)).sqhd());
        }

        assertThat(heads).containsExactly(1, 2, 3, 0, 1, 2);
    }

    @Test
    void shouldReportNoQueueHeadWhenTheHostSwitchedFlowControlOff() {
        LoopbackHost host = fixture.host();
        Exchange connect = host.send(
                HostEntries.connect(0, 31, 1 << 2, 0),
                HostEntries.connectData(
                        TargetFixture.HOST_ID, ANY_CONTROLLER, TargetFixture.SUBSYSTEM, TargetFixture.HOST),
                Delivery.IN_CAPSULE);

        assertThat(connect.status()).isZero();
        assertThat(connect.sqhd()).isEqualTo(0xFFFF);
    }

    @Test
    void shouldEndTheAssociationsOfAHostThatIsNoLongerAllowedAndNoOthers() {
        LoopbackHost io = fixture.io();
        fixture.target.putHost(new HostCredential(TargetFixture.STRANGER, java.util.Optional.empty()));
        fixture.target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.STRANGER);
        LoopbackHost other = fixture.host(TargetFixture.STRANGER, fixture.listener);
        other.connectAdmin();

        fixture.target.disallowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST);
        fixture.group.runTasks();

        assertThat(io.transport().isClosed()).isTrue();
        assertThat(other.transport().isClosed()).isFalse();
        assertThat(fixture.target.controllers())
                .extracting(ControllerView::hostNqn)
                .containsExactly(TargetFixture.STRANGER);
        assertThat(fixture.host().connect(0, 31, ANY_CONTROLLER, 0).status()).isEqualTo(INVALID_HOST);
    }

    @Test
    void shouldEndOnlyTheAssociationsThatCameThroughAnUnlinkedListener() {
        fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener);
        LoopbackHost first = fixture.host();
        first.connectAdmin();
        LoopbackHost second = fixture.host(TargetFixture.HOST, fixture.otherListener);
        second.connectAdmin();

        fixture.target.unlink(TargetFixture.SUBSYSTEM, fixture.otherListener);
        fixture.group.runTasks();
        assertThat(first.transport().isClosed()).isFalse();
        assertThat(second.transport().isClosed()).isTrue();

        fixture.target.removeListener(fixture.listener);
        fixture.group.runTasks();
        assertThat(first.transport().isClosed()).isTrue();
        assertThat(fixture.target
                        .subsystem(TargetFixture.SUBSYSTEM)
                        .orElseThrow()
                        .listeners())
                .isEmpty();
    }

    @Test
    void shouldEndEverythingWhenTheSubsystemIsRemoved() {
        LoopbackHost io = fixture.io();

        fixture.target.removeSubsystem(TargetFixture.SUBSYSTEM);
        fixture.group.runTasks();

        assertThat(io.transport().isClosed()).isTrue();
        assertThat(fixture.target.controllers()).isEmpty();
        assertThat(fixture.target.subsystems()).isEmpty();
    }

    @Test
    void shouldFreeTheControllerWhenTheHostHangsUpItsAdminQueue() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        admin.enable();
        LoopbackHost io = fixture.host();
        io.connectIo(1, cntlid);

        admin.transport().hangUp();
        fixture.group.runTasks();

        assertThat(io.transport().isClosed()).isTrue();
        assertThat(fixture.target.controllers()).isEmpty();
    }

    @Test
    void shouldKeepTheControllerWhenAnIoQueueDisconnects() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        admin.enable();
        LoopbackHost io = fixture.host();
        io.connectIo(1, cntlid);

        assertThat(io.send(HostEntries.disconnect()).status()).isZero();

        assertThat(io.transport().isClosed()).isTrue();
        assertThat(admin.transport().isClosed()).isFalse();
        fixture.host().connectIo(1, cntlid);
        assertThat(admin.send(HostEntries.disconnect()).status()).isNotZero();
    }

    @Test
    void shouldRefuseMalformedNames() {
        byte[] endless =
                HostEntries.connectData(new UUID(0, 1), ANY_CONTROLLER, TargetFixture.SUBSYSTEM, TargetFixture.HOST);
        java.util.Arrays.fill(endless, 512, 768, (byte) 'a');
        Exchange connect = fixture.host().send(HostEntries.connect(0, 31, 0, 0), endless, Delivery.IN_CAPSULE);
        assertThat(connect.status()).isEqualTo(INVALID_PARAMETERS);
        assertThat(connect.result()).isEqualTo(IN_DATA | 512);
    }
}
