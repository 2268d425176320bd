package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE16;
import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.nvme.auth.AuthCheck;
import io.fairlead.nvme.auth.AuthController;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostControllerTest {

    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final String HOST = "nqn.2026-01.io.fairlead:host";
    private static final HostIdentity PLAIN = new HostIdentity(HOST, new UUID(1, 2), Optional.empty());
    private static final int AUTHENTICATION_REQUIRED = 1 << 17;

    private final ScriptedController scripted = new ScriptedController();
    private final AtomicLong waitedMillis = new AtomicLong();
    private final DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, new Random(3));

    @Test
    void shouldConnectEnableAndIdentify() throws Exception {
        HostController controller = controller(PLAIN);

        controller.establish(30_000);

        assertThat(scripted.properties).containsExactly(0x0046_0000, 0x0046_0001);
        assertThat(controller.controllerId()).isEqualTo(ScriptedController.CONTROLLER_ID);
        assertThat(controller.queueDepthMax()).isEqualTo(128);
        ControllerData data = controller.identifyController();
        assertThat(data.serial()).isEqualTo("SERIAL-1");
        assertThat(data.inCapsuleBytes()).isEqualTo(4096);
        assertThat(controller.requestQueues(8)).isEqualTo(4);
        assertThat(controller.requestQueues(2)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "0x182, 0x10100, SUBSYSTEM_UNKNOWN, There is no subsystem",
        "0x182, 0x10200, CONNECT_REFUSED, host name",
        "0x182, 0x10000, CONNECT_REFUSED, host identifier",
        "0x182, 0x10010, CONNECT_REFUSED, controller id",
        "0x182, 0x00028, CONNECT_REFUSED, byte 40 of Connect",
        "0x184, 0, HOST_NOT_ALLOWED, does not let the host",
        "0x4184, 0, HOST_NOT_ALLOWED, do not retry",
        "0x181, 0, CONNECT_REFUSED, busy",
        "0x180, 0, CONNECT_REFUSED, format",
        "0x183, 0, CONNECT_REFUSED, discover",
        "0x191, 0, KEY_REQUIRED, authentication",
        "0x006, 0, CONNECT_REFUSED, internal error"
    })
    void shouldExplainARefusedConnect(int status, long result, Kind kind, String words) {
        scripted.connectStatus = status;
        scripted.connectResult = result;

        InitiatorFault fault = faultOf(() -> controller(PLAIN).establish(0));

        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault).hasMessageContaining(words);
    }

    @Test
    void shouldSayThatAKeyIsNeeded() {
        scripted.connectResult |= AUTHENTICATION_REQUIRED;

        InitiatorFault fault = faultOf(() -> controller(PLAIN).establish(0));

        assertThat(fault.kind()).isEqualTo(Kind.KEY_REQUIRED);
        assertThat(fault.check()).contains(AuthCheck.KEY_NOT_PRESENTED);
    }

    @Test
    void shouldAuthenticateWhenAskedTo() throws Exception {
        scripted.connectResult |= AUTHENTICATION_REQUIRED;
        scripted.authentication = Optional.of(demanding(key));
        HostController controller = controller(withKey(key));

        controller.establish(0);

        assertThat(controller.authentication())
                .contains(new AuthProgress.Succeeded(
                        DhchapHash.SHA_384, DhchapGroup.NULL, AuthProgress.Direction.ONE_WAY));
    }

    @Test
    void shouldNameTheCheckThatRefusedTheAuthentication() {
        scripted.connectResult |= AUTHENTICATION_REQUIRED;
        scripted.authentication = Optional.of(demanding(DhchapKey.generate(DhchapHash.SHA_256, new Random(4))));

        InitiatorFault fault = faultOf(() -> controller(withKey(key)).establish(0));

        assertThat(fault.kind()).isEqualTo(Kind.AUTHENTICATION_REFUSED);
        assertThat(fault.check()).contains(AuthCheck.KEY_MISMATCH);
    }

    @Test
    void shouldGiveUpOnAControllerThatIsNotReadyInItsTime() {
        scripted.readyStatus = 0;

        InitiatorFault fault = faultOf(() -> controller(PLAIN).establish(0));

        assertThat(fault.kind()).isEqualTo(Kind.CONTROLLER_UNSUITABLE);
        assertThat(waitedMillis.get()).isBetween(400L, 600L);
    }

    @Test
    void shouldGiveUpOnAFatalStatus() {
        scripted.readyStatus = 2;

        assertThat(faultOf(() -> controller(PLAIN).establish(0))).hasMessageContaining("fatal");
    }

    @Test
    void shouldRefuseWhatALinuxHostRefuses() throws Exception {
        assertRefused(data -> data.set(LE16, 78, (short) 9), "calls itself 9");
        assertRefused(data -> data.set(LE16, 320, (short) 0), "Keep Alive");
        assertRefused(data -> data.set(LE32, 536, 0), "scatter-gather");
        assertRefused(data -> data.set(LE32, 1792, 3), "capsules");
        assertRefused(data -> data.set(LE32, 1796, 0), "capsules");
        assertRefused(data -> data.set(LE16, 1800, (short) 1), "offset");
    }

    private void assertRefused(Consumer<MemorySegment> change, String words) throws Exception {
        HostController controller = controller(PLAIN);
        controller.establish(0);
        MemorySegment before = MemorySegment.ofArray(new byte[4096]).copyFrom(scripted.controllerData);
        change.accept(scripted.controllerData);

        InitiatorFault fault = faultOf(controller::identifyController);

        assertThat(fault.kind()).isEqualTo(Kind.CONTROLLER_UNSUITABLE);
        assertThat(fault).hasMessageContaining(words);
        scripted.controllerData.copyFrom(before);
    }

    @Test
    void shouldFindNamespacesInMoreThanOneList() throws Exception {
        for (long nsid = 1; nsid <= 1500; nsid++) {
            scripted.addNamespace(nsid * 2, nsid, 12);
        }

        List<NamespaceData> namespaces = controller(PLAIN).identifyNamespaces();

        assertThat(namespaces).hasSize(1500);
        assertThat(namespaces.getLast().nsid()).isEqualTo(3000);
        assertThat(namespaces.getLast().sizeBytes()).isEqualTo(1500 * 4096L);
    }

    @Test
    void shouldReadTheIdentityOfANamespace() throws Exception {
        UUID uuid = UUID.fromString("11111111-2222-4333-8444-555555555555");
        scripted.addNamespace(5, 100, 9);
        MemorySegment descriptors = scripted.descriptors.get(5L);
        descriptors.set(JAVA_BYTE, 0, (byte) 2);
        descriptors.set(JAVA_BYTE, 1, (byte) 16);
        descriptors.set(JAVA_BYTE, 20, (byte) 3);
        descriptors.set(JAVA_BYTE, 21, (byte) 16);
        descriptors.set(
                java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN),
                24,
                uuid.getMostSignificantBits());
        descriptors.set(
                java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.BIG_ENDIAN),
                32,
                uuid.getLeastSignificantBits());
        scripted.namespaces.get(5L).set(JAVA_BYTE, 104, (byte) 0xAB);

        NamespaceData namespace = controller(PLAIN).identifyNamespaces().getFirst();

        assertThat(namespace.uuid()).contains(uuid);
        assertThat(namespace.nguid()).isEqualTo("ab000000000000000000000000000000");
        assertThat(namespace.eui64()).isEqualTo("0000000000000000");
        assertThat(namespace.lbaBytes()).isEqualTo(512);
    }

    @Test
    void shouldNotUseANamespaceWithoutAUsableBlockSize() throws Exception {
        scripted.addNamespace(1, 100, 0);
        scripted.addNamespace(2, 100, 12);

        assertThat(controller(PLAIN).identifyNamespaces())
                .extracting(NamespaceData::nsid)
                .containsExactly(2L);
    }

    @Test
    void shouldNotReadPastTheEndOfDamagedDescriptors() throws Exception {
        scripted.addNamespace(1, 100, 12);
        scripted.descriptors.get(1L).fill((byte) 0xFF);

        assertThat(controller(PLAIN).identifyNamespaces().getFirst().uuid()).isEmpty();
    }

    private HostController controller(HostIdentity host) {
        return new HostController(scripted, host, SUBSYSTEM, new Random(1), waitedMillis::addAndGet);
    }

    private static HostIdentity withKey(DhchapKey key) {
        return new HostIdentity(HOST, new UUID(1, 2), Optional.of(HostPolicy.offeringAll(key, Optional.empty())));
    }

    private static AuthController demanding(DhchapKey key) {
        ControllerPolicy policy =
                new ControllerPolicy(List.of(DhchapHash.SHA_384), List.of(DhchapGroup.NULL), key, Optional.empty());
        return new AuthController(HOST, SUBSYSTEM, policy, new Random(2));
    }

    private static InitiatorFault faultOf(ThrowingCallable work) {
        InitiatorFault fault = catchThrowableOfType(InitiatorFault.class, work);
        assertThat(fault).isNotNull();
        return fault;
    }
}
