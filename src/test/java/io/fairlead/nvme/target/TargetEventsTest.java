package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import io.fairlead.nvme.spec.Nqn;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Asynchronous events (NVM Express Base 2.0, section 5.2) and the discovery service. */
class TargetEventsTest {

    private static final int NAMESPACE_CHANGED = 0x0004_0002;
    private static final int ANA_CHANGED = 0x000C_0302;
    private static final int DISCOVERY_CHANGED = 0x0070_F002;
    private static final int AER_CID = 0x1F;

    private final TargetFixture fixture = new TargetFixture();

    private LoopbackHost listening(int events) {
        LoopbackHost admin = fixture.admin();
        assertThat(admin.send(HostEntries.setFeatures(0x0B, events)).status()).isZero();
        return admin;
    }

    private void grow() {
        fixture.target.namespaceResized(TargetFixture.SUBSYSTEM, 5);
        fixture.group.runTasks();
    }

    private void changeAna(UUID listener, AnaState state) {
        fixture.target.anaState(TargetFixture.SUBSYSTEM, listener, 1, state);
        fixture.group.runTasks();
    }

    @Test
    void shouldTellOfAChangedNamespaceAndThenBeQuietUntilItsLogIsRead() {
        LoopbackHost admin = listening(0x900);
        Exchange first = admin.send(HostEntries.eventRequest(AER_CID));
        assertThat(first.isDone()).isFalse();

        grow();
        assertThat(first.status()).isZero();
        assertThat(first.result()).isEqualTo(NAMESPACE_CHANGED);

        Exchange second = admin.send(HostEntries.eventRequest(AER_CID));
        grow();
        assertThat(second.isDone()).isFalse();
        Exchange retained = admin.send(HostEntries.getLogPage(4, 4096, 0, true));
        assertThat(retained.receivedSegment().get(HostEntries.U32, 0)).isEqualTo(5);
        grow();
        assertThat(second.isDone())
                .as("the log was read and the event retained")
                .isFalse();

        Exchange read = admin.send(HostEntries.getLogPage(4, 4096, 0, false));
        assertThat(read.receivedSegment().get(HostEntries.U32, 0)).isEqualTo(5);
        assertThat(admin.send(HostEntries.getLogPage(4, 4096, 0, true))
                        .receivedSegment()
                        .get(HostEntries.U32, 0))
                .isZero();
        assertThat(second.isDone()).isFalse();
        grow();
        assertThat(second.result()).isEqualTo(NAMESPACE_CHANGED);
    }

    @Test
    void shouldKeepAnEventUntilThereIsARequestForIt() {
        LoopbackHost admin = listening(0x900);
        grow();

        assertThat(admin.send(HostEntries.eventRequest(AER_CID)).result()).isEqualTo(NAMESPACE_CHANGED);
    }

    @Test
    void shouldTellOfAddedAndRemovedNamespaces() {
        LoopbackHost admin = listening(0x900);
        Exchange added = admin.send(HostEntries.eventRequest(AER_CID));
        fixture.target.addNamespace(TargetFixture.SUBSYSTEM, TargetFixture.namespace(9, new ScriptedDevice(512, 8)));
        fixture.group.runTasks();
        assertThat(added.result()).isEqualTo(NAMESPACE_CHANGED);
        admin.send(HostEntries.getLogPage(4, 4096, 0, false));

        Exchange removed = admin.send(HostEntries.eventRequest(AER_CID));
        fixture.target.removeNamespace(TargetFixture.SUBSYSTEM, 9);
        fixture.group.runTasks();
        assertThat(removed.result()).isEqualTo(NAMESPACE_CHANGED);
    }

    @Test
    void shouldTellOfAnAnaChangeOnlyThoseWhoComeThroughThatListener() {
        fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener);
        LoopbackHost admin = listening(0x900);
        Exchange request = admin.send(HostEntries.eventRequest(AER_CID));

        changeAna(fixture.otherListener, AnaState.INACCESSIBLE);
        assertThat(request.isDone()).isFalse();
        changeAna(fixture.listener, AnaState.NON_OPTIMIZED);

        assertThat(request.result()).isEqualTo(ANA_CHANGED);
    }

    @Test
    void shouldTellTwoKindsOfEventsOneByOne() {
        LoopbackHost admin = listening(0x900);
        grow();
        changeAna(fixture.listener, AnaState.INACCESSIBLE);

        Exchange one = admin.send(HostEntries.eventRequest(AER_CID));
        Exchange two = admin.send(HostEntries.eventRequest(AER_CID));

        assertThat(List.of(one.result(), two.result()))
                .containsExactlyInAnyOrder((long) NAMESPACE_CHANGED, (long) ANA_CHANGED);
    }

    @Test
    void shouldTellNothingThatTheHostDidNotAskFor() {
        LoopbackHost admin = listening(0x800);
        Exchange request = admin.send(HostEntries.eventRequest(AER_CID));

        grow();

        assertThat(request.isDone()).isFalse();
    }

    @Test
    void shouldHoldAsManyRequestsAsAdvertisedAndAbortOneOnDemand() {
        LoopbackHost admin = listening(0x900);
        int limit = Byte.toUnsignedInt(
                        admin.send(HostEntries.identify(1, 0)).receivedSegment().get(ValueLayout.JAVA_BYTE, 259))
                + 1;
        List<Exchange> requests = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            requests.add(admin.send(HostEntries.eventRequest(0x100 + i)));
        }
        assertThat(admin.send(HostEntries.eventRequest(0x200)).status()).isEqualTo(0x105);

        assertThat(admin.send(HostEntries.abort(0, 0x101)).result() & 1).isZero();
        assertThat(requests.get(1).status()).isEqualTo(0x007);
        assertThat(admin.send(HostEntries.abort(0, 0x101)).result() & 1).isEqualTo(1);
        assertThat(admin.send(HostEntries.abort(1, 0x102)).result() & 1).isEqualTo(1);
        assertThat(requests.get(2).isDone()).isFalse();
    }

    @Test
    void shouldTellNobodyAfterTheHostHasGone() {
        LoopbackHost admin = listening(0x900);
        admin.send(HostEntries.eventRequest(AER_CID));
        fixture.target.namespaceResized(TargetFixture.SUBSYSTEM, 5);
        admin.transport().hangUp();

        fixture.group.runTasks();

        assertThat(admin.transport().inFlight()).hasSize(1);
    }

    // Discovery

    private LoopbackHost discovery(String hostNqn) {
        LoopbackHost host = new LoopbackHost(
                fixture.target, fixture.group, fixture.listener, hostNqn, TargetFixture.HOST_ID, Nqn.DISCOVERY);
        host.connectAdmin();
        host.enable();
        return host;
    }

    private static MemorySegment log(LoopbackHost discovery, int bytes) {
        Exchange exchange = discovery.send(HostEntries.getLogPage(0x70, bytes, 0, false));
        assertThat(exchange.status()).isZero();
        return exchange.receivedSegment();
    }

    private static String text(MemorySegment data, long at, int bytes) {
        return new String(data.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII)
                .replace('\0', ' ')
                .strip();
    }

    @Test
    void shouldListEachAddressOfTheSubsystemsThatTheHostMayUse() {
        fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener);
        fixture.target.putSubsystem(
                "nqn.2026-01.io.fairlead:other", "FL0002", "Fairlead", SubsystemModel.Access.LISTED_HOSTS, 1, 9);
        fixture.target.link("nqn.2026-01.io.fairlead:other", fixture.listener);

        MemorySegment log = log(discovery(TargetFixture.HOST), 4096);

        assertThat(log.get(HostEntries.U64, 8)).isEqualTo(2);
        assertThat(log.get(HostEntries.U16, 16)).as("record format").isZero();
        MemorySegment first = log.asSlice(1024, 1024);
        MemorySegment second = log.asSlice(2048, 1024);
        assertThat(first.get(ValueLayout.JAVA_BYTE, 0)).as("TCP").isEqualTo((byte) 3);
        assertThat(first.get(ValueLayout.JAVA_BYTE, 1)).as("IPv4").isEqualTo((byte) 1);
        assertThat(first.get(ValueLayout.JAVA_BYTE, 2)).as("NVM subsystem").isEqualTo((byte) 2);
        assertThat(first.get(ValueLayout.JAVA_BYTE, 3)).as("TREQ not specified").isZero();
        assertThat(first.get(HostEntries.U16, 6)).as("dynamic controllers").isEqualTo((short) -1);
        assertThat(first.get(HostEntries.U16, 8)).as("ASQSZ").isGreaterThanOrEqualTo((short) 32);
        assertThat(text(first, 32, 32)).isEqualTo("4420");
        assertThat(text(first, 256, 256)).isEqualTo(TargetFixture.SUBSYSTEM);
        assertThat(text(first, 512, 256)).isEqualTo("192.0.2.10");
        assertThat(second.get(ValueLayout.JAVA_BYTE, 1)).as("IPv6").isEqualTo((byte) 2);
        assertThat(text(second, 512, 256)).isEqualTo("2001:db8::10");
    }

    @Test
    void shouldListNothingForAStranger() {
        assertThat(log(discovery(TargetFixture.STRANGER), 1024).get(HostEntries.U64, 8))
                .isZero();
    }

    @Test
    void shouldIdentifyAsADiscoveryControllerWithoutNamespaces() {
        LoopbackHost discovery = discovery(TargetFixture.HOST);

        MemorySegment data = discovery.send(HostEntries.identify(1, 0)).receivedSegment();
        assertThat(data.get(ValueLayout.JAVA_BYTE, 111)).isEqualTo((byte) 2);
        assertThat(data.get(HostEntries.U32, 92)).as("OAES").isEqualTo(1 << 31);
        assertThat(text(data, 768, 256)).isEqualTo(Nqn.DISCOVERY);
        assertThat(discovery.send(HostEntries.identify(0, 1)).status()).isEqualTo(0x002);
        assertThat(discovery.send(HostEntries.setFeatures(7, 0)).status()).isEqualTo(0x002);
        assertThat(discovery.send(HostEntries.getLogPage(4, 4096, 0, false)).status())
                .isEqualTo(0x109);
        assertThat(fixture.target.controllers()).as("not counted as hosts").isEmpty();
    }

    @Test
    void shouldTellAPersistentDiscoveryControllerOfEachKindOfChange() {
        LoopbackHost discovery = discovery(TargetFixture.HOST);
        discovery.send(HostEntries.setFeatures(0x0B, 1L << 31));
        List<Runnable> changes = List.of(
                () -> fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener),
                () -> fixture.target.unlink(TargetFixture.SUBSYSTEM, fixture.otherListener),
                () -> fixture.target.disallowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST),
                () -> fixture.target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST),
                () -> fixture.target.putListener(new ListenerAddress(
                        fixture.listener, 1, FabricTransportType.TCP, FabricAddressFamily.IPV4, "192.0.2.10", "4422")),
                () -> fixture.target.removeSubsystem(TargetFixture.SUBSYSTEM));
        for (Runnable change : changes) {
            long before = log(discovery, 1024).get(HostEntries.U64, 0);
            Exchange request = discovery.send(HostEntries.eventRequest(AER_CID));

            change.run();
            fixture.group.runTasks();

            assertThat(request.result()).isEqualTo(DISCOVERY_CHANGED);
            assertThat(log(discovery, 1024).get(HostEntries.U64, 0)).isGreaterThan(before);
        }
    }

    @Test
    void shouldReadTheDiscoveryLogInPieces() {
        fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener);
        LoopbackHost discovery = discovery(TargetFixture.HOST);
        byte[] whole = log(discovery, 3072).toArray(ValueLayout.JAVA_BYTE);

        byte[] entry =
                discovery.send(HostEntries.getLogPage(0x70, 1024, 2048, false)).received();

        assertThat(entry).isEqualTo(java.util.Arrays.copyOfRange(whole, 2048, 3072));
    }

    @Test
    void shouldEndDiscoveryControllersOfARemovedListener() {
        LoopbackHost discovery = discovery(TargetFixture.HOST);

        fixture.target.removeListener(fixture.listener);
        fixture.group.runTasks();

        assertThat(discovery.transport().isClosed()).isTrue();
        assertThat(fixture.target.host(TargetFixture.HOST))
                .isEqualTo(Optional.of(new HostCredential(TargetFixture.HOST, Optional.empty())));
    }
}
