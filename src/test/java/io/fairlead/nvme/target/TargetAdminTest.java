package io.fairlead.nvme.target;

import static io.fairlead.nvme.target.LoopbackHost.ANY_CONTROLLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin queue as a Linux host uses it, and what nvme-cli asks for besides. */
class TargetAdminTest {

    private static final int INVALID_OPCODE = 0x001;
    private static final int INVALID_FIELD = 0x002;
    private static final int INVALID_NAMESPACE = 0x00B;
    private static final int SEQUENCE_ERROR = 0x00C;
    private static final int INVALID_LOG_PAGE = 0x109;

    private final TargetFixture fixture = new TargetFixture();

    private static long u32(MemorySegment data, long at) {
        return Integer.toUnsignedLong(data.get(HostEntries.U32, at));
    }

    private static int u16(MemorySegment data, long at) {
        return Short.toUnsignedInt(data.get(HostEntries.U16, at));
    }

    private static int u8(MemorySegment data, long at) {
        return Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, at));
    }

    private static String text(MemorySegment data, long at, int bytes) {
        return new String(data.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    }

    private MemorySegment identify(LoopbackHost admin, int cns, long nsid) {
        Exchange exchange = admin.send(HostEntries.identify(cns, nsid));
        assertThat(exchange.status()).isZero();
        assertThat(exchange.received()).hasSize(4096);
        return exchange.receivedSegment();
    }

    @Test
    void shouldGoThroughTheStatesOfAControllerAsLinuxDoes() {
        LoopbackHost admin = fixture.host();
        admin.connectAdmin();

        long capabilities =
                admin.send(HostEntries.propertyGet(HostEntries.CAP, 8)).result();
        assertThat(capabilities & 0xFFFF).isEqualTo(127);
        assertThat(capabilities >>> 37 & 1).isEqualTo(1);
        assertThat(capabilities >>> 48 & 0xF).isZero();
        assertThat(admin.send(HostEntries.propertySet(HostEntries.CC, 0x0046_0000))
                        .status())
                .isZero();
        if ((capabilities & 1L << 59) != 0) {
            assertThat(admin.send(HostEntries.propertyGet(HostEntries.CRTO, 4)).status())
                    .isZero();
        }
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CSTS, 4)).result())
                .isZero();
        assertThat(admin.send(HostEntries.identify(1, 0)).status()).isEqualTo(SEQUENCE_ERROR);
        admin.enable();
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CSTS, 4)).result())
                .isEqualTo(1);
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CC, 4)).result())
                .isEqualTo(LoopbackHost.CC_ENABLED);
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.VS, 4)).result())
                .isEqualTo(0x0002_0000);
        admin.send(HostEntries.propertySet(HostEntries.CC, 0x0046_4001));
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CSTS, 4)).result())
                .isEqualTo(0b1001);
    }

    @Test
    void shouldRefusePropertiesThatDoNotExistOrHaveAnotherSize() {
        LoopbackHost admin = fixture.admin();

        assertThat(admin.send(HostEntries.propertyGet(0x24, 4)).status()).isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CAP, 4)).status())
                .isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.VS, 8)).status())
                .isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.propertySet(HostEntries.CSTS, 1)).status())
                .isEqualTo(INVALID_FIELD);
    }

    @Test
    void shouldEndTheIoQueuesOfAResetController() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        admin.enable();
        LoopbackHost io = fixture.host();
        io.connectIo(1, cntlid);

        admin.send(HostEntries.propertySet(HostEntries.CC, 0x0046_0000));

        assertThat(io.transport().isClosed()).isTrue();
        assertThat(admin.transport().isClosed()).isFalse();
        assertThat(admin.send(HostEntries.propertyGet(HostEntries.CSTS, 4)).result())
                .isZero();
    }

    /** Each value below makes a Linux host refuse the controller when it is otherwise. */
    @Test
    void shouldIdentifyAsAControllerThatLinuxAccepts() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        admin.enable();

        MemorySegment data = identify(admin, 0x01, 0);

        assertThat(text(data, 4, 20)).isEqualTo("FL0001" + " ".repeat(14));
        assertThat(text(data, 24, 40)).isEqualTo("Fairlead" + " ".repeat(32));
        assertThat(text(data, 64, 8)).isEqualTo("1.0     ");
        assertThat(u8(data, 76)).as("CMIC: several ports and controllers, ANA").isEqualTo(0b1011);
        assertThat(u8(data, 77)).as("MDTS").isEqualTo(5);
        assertThat(u16(data, 78)).as("CNTLID").isEqualTo(cntlid);
        assertThat(u32(data, 80)).as("VER").isEqualTo(0x0002_0000);
        assertThat(u32(data, 92)).as("OAES").isEqualTo(0x900);
        assertThat(u8(data, 111)).as("CNTRLTYPE").isEqualTo(1);
        assertThat(u16(data, 320)).as("KAS").isNotZero();
        assertThat(u8(data, 342)).as("ANATT").isNotZero();
        assertThat(u32(data, 344)).as("ANAGRPMAX").isNotZero();
        assertThat(u32(data, 348)).as("NANAGRPID").isNotZero();
        assertThat(u8(data, 512)).as("SQES").isEqualTo(0x66);
        assertThat(u8(data, 513)).as("CQES").isEqualTo(0x44);
        assertThat(u16(data, 514)).as("MAXCMD").isEqualTo(128);
        assertThat(u32(data, 516)).as("NN").isEqualTo(1024);
        assertThat(u32(data, 540)).as("MNAN").isBetween(1L, u32(data, 516));
        assertThat(u16(data, 520) & 0b1100).as("ONCS: DSM and Write Zeroes").isEqualTo(0b1100);
        assertThat(u16(data, 520) & 0b10_0000).as("ONCS: no reservations").isZero();
        assertThat(u8(data, 525)).as("VWC").isZero();
        assertThat(u32(data, 536) & 3).as("SGLS").isNotZero();
        assertThat(text(data, 768, TargetFixture.SUBSYSTEM.length() + 1)).isEqualTo(TargetFixture.SUBSYSTEM + "\0");
        assertThat(u32(data, 1792)).as("IOCCSZ").isEqualTo((64 + 8192) / 16);
        assertThat(u32(data, 1796)).as("IORCSZ").isEqualTo(1);
        assertThat(u16(data, 1800)).as("ICDOFF").isZero();
        MemorySegment nvm = identify(admin, 0x06, 0);
        assertThat(u32(nvm, 4)).as("DMRSL goes with ONCS.DSM").isNotZero();
    }

    @Test
    void shouldAdvertiseAVolatileWriteCacheWhenADeviceHasOne() {
        fixture.device.withVolatileWriteCache();
        LoopbackHost admin = fixture.admin();

        assertThat(u8(identify(admin, 0x01, 0), 525) & 1).isEqualTo(1);
        assertThat(admin.send(HostEntries.getFeatures(6)).result()).isEqualTo(1);
        assertThat(admin.send(HostEntries.setFeatures(6, 0)).status()).isZero();
        assertThat(admin.send(HostEntries.getFeatures(6)).result()).isZero();
    }

    @Test
    void shouldIdentifyNamespaces() {
        LoopbackHost admin = fixture.admin();

        MemorySegment namespace = identify(admin, 0x00, 5);
        assertThat(namespace.get(HostEntries.U64, 0)).isEqualTo(TargetFixture.BLOCKS);
        assertThat(namespace.get(HostEntries.U64, 8)).isEqualTo(TargetFixture.BLOCKS);
        assertThat(u8(namespace, 25)).as("NLBAF").isZero();
        assertThat(u8(namespace, 30)).as("NMIC").isEqualTo(1);
        assertThat(u8(namespace, 31)).as("RESCAP").isZero();
        assertThat(u8(namespace, 33) & 7).as("DLFEAT promises nothing").isZero();
        assertThat(u32(namespace, 92)).as("ANAGRPID").isEqualTo(5);
        assertThat(u8(namespace, 119)).as("last byte of NGUID").isEqualTo(5);
        assertThat(u8(namespace, 130)).as("LBADS").isEqualTo(9);
        assertThat(u8(identify(admin, 0x00, 1), 130)).isEqualTo(12);
        assertThat(identify(admin, 0x00, 2).toArray(ValueLayout.JAVA_BYTE))
                .as("inactive")
                .containsOnly(0);
        assertThat(admin.send(HostEntries.identify(0x00, 0)).status()).isEqualTo(INVALID_NAMESPACE);
        assertThat(admin.send(HostEntries.identify(0x00, 1025)).status()).isEqualTo(INVALID_NAMESPACE);
    }

    @Test
    void shouldDescribeNamespacesByUuidAndNguid() {
        MemorySegment list = identify(fixture.admin(), 0x03, 5);
        List<Integer> types = new ArrayList<>();
        long at = 0;
        while (u8(list, at) != 0) {
            types.add(u8(list, at));
            if (u8(list, at) == 3) {
                assertThat(u8(list, at + 1)).isEqualTo(16);
                assertThat(list.asSlice(at + 4, 16).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5});
            }
            at += 4 + u8(list, at + 1);
        }

        assertThat(types).contains(2, 3).doesNotContain(1);
    }

    @Test
    void shouldListActiveNamespacesAfterTheGivenOne() {
        LoopbackHost admin = fixture.admin();

        assertThat(nsids(identify(admin, 0x02, 0))).containsExactly(1L, 5L);
        assertThat(nsids(identify(admin, 0x02, 1))).containsExactly(5L);
        assertThat(nsids(identify(admin, 0x02, 5))).isEmpty();
        assertThat(admin.send(HostEntries.identify(0x02, 0xFFFF_FFFFL)).status())
                .isEqualTo(INVALID_NAMESPACE);
    }

    @Test
    void shouldListAsManyNamespacesAsThereCanBe() {
        ScriptedDevice tiny = new ScriptedDevice(512, 8);
        IntStream.rangeClosed(1, 1024)
                .filter(nsid -> nsid != 1 && nsid != 5)
                .forEach(nsid -> fixture.target.addNamespace(
                        TargetFixture.SUBSYSTEM,
                        new NamespaceModel(nsid, new java.util.UUID(7, nsid), new byte[16], new byte[8], 1, tiny)));
        LoopbackHost admin = fixture.admin();

        assertThat(nsids(identify(admin, 0x02, 0))).hasSize(1024).isSorted();
        assertThat(admin.send(HostEntries.getLogPage(0x0C, 16 + 32 * 32 + 4 * 1024, 0, false))
                        .status())
                .isZero();
    }

    private static List<Long> nsids(MemorySegment list) {
        List<Long> nsids = new ArrayList<>();
        for (long at = 0; at < 4096 && u32(list, at) != 0; at += 4) {
            nsids.add(u32(list, at));
        }
        return nsids;
    }

    @ParameterizedTest
    @ValueSource(ints = {0x04, 0x09, 0x10, 0x12, 0x13, 0x14, 0x17, 0xFF})
    void shouldRefuseIdentificationsThatItHasNot(int cns) {
        assertThat(fixture.admin().send(HostEntries.identify(cns, 1)).status()).isEqualTo(INVALID_FIELD);
    }

    @Test
    void shouldAnswerIdentificationsOfTheNvmCommandSet() {
        LoopbackHost admin = fixture.admin();

        assertThat(u8(identify(admin, 0x1C, 0xFFFF), 0)).isEqualTo(1);
        identify(admin, 0x08, 1);
        MemorySegment keyValue = HostEntries.withDword(HostEntries.identify(0x06, 0), 11, 1L << 24);
        assertThat(admin.send(keyValue).status()).isEqualTo(INVALID_FIELD);
    }

    @Test
    void shouldGrantNoMoreQueuesThanItHas() {
        LoopbackHost admin = fixture.admin();

        assertThat(admin.send(HostEntries.setFeatures(7, 0x0003_0003)).result()).isEqualTo(0x0003_0003);
        assertThat(admin.send(HostEntries.setFeatures(7, 0x00FF_00FF)).result()).isEqualTo(0x000F_000F);
        assertThat(admin.send(HostEntries.getFeatures(7)).result()).isEqualTo(0x000F_000F);
        assertThat(admin.send(HostEntries.setFeatures(7, 0xFFFF_FFFFL)).status())
                .isEqualTo(INVALID_FIELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x02, 0x04, 0x05, 0x07, 0x0B, 0x0F})
    void shouldAnswerTheFeaturesThatToolsAskFor(int feature) {
        assertThat(fixture.admin().send(HostEntries.getFeatures(feature)).status())
                .isZero();
    }

    @Test
    void shouldTellTheHostIdentifierOnlyInItsExtendedForm() {
        LoopbackHost admin = fixture.admin();

        assertThat(admin.send(HostEntries.getFeatures(0x81)).status()).isEqualTo(INVALID_FIELD);
        Exchange extended =
                admin.send(HostEntries.transport(HostEntries.withDword(HostEntries.getFeatures(0x81), 11, 1), 16));
        assertThat(extended.status()).isZero();
        assertThat(extended.received()).hasSize(16).startsWith(0x11, 0x11, 0x11, 0x11, 0x22, 0x22);
        assertThat(admin.send(HostEntries.getFeatures(0x7E)).status()).isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.setFeatures(0x0B | 1 << 31, 0x900)).status())
                .isEqualTo(0x10D);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x0C})
    void shouldServeEachLogPageWholeAndInParts(int page) {
        LoopbackHost admin = fixture.admin();

        Exchange whole = admin.send(HostEntries.getLogPage(page, 4096, 0, true));
        Exchange part = admin.send(HostEntries.getLogPage(page, 16, 8, true));

        assertThat(whole.status()).isZero();
        assertThat(whole.received()).hasSize(4096).doesNotContain(0xA5);
        assertThat(part.received()).isEqualTo(java.util.Arrays.copyOfRange(whole.received(), 8, 24));
        assertThat(admin.send(HostEntries.getLogPage(page, 16, 1 << 30, true)).status())
                .isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.getLogPage(page, 16, -4, true)).status())
                .isEqualTo(INVALID_FIELD);
        assertThat(admin.send(HostEntries.getLogPage(page, 16, 2, true)).status())
                .isEqualTo(INVALID_FIELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x06, 0x07, 0x0D, 0x70, 0x81, 0xFF})
    void shouldNameLogPagesThatItHasNot(int page) {
        assertThat(fixture.admin()
                        .send(HostEntries.getLogPage(page, 512, 0, true))
                        .status())
                .isEqualTo(INVALID_LOG_PAGE);
    }

    @Test
    void shouldCountInTheSmartLogWhatWentThroughTheQueues() {
        LoopbackHost admin = fixture.host();
        int cntlid = admin.connectAdmin();
        admin.enable();
        LoopbackHost io = fixture.host();
        io.connectIo(1, cntlid);
        io.send(HostEntries.read(1, 0, 1, 4096));
        io.transport().hangUp();

        MemorySegment smart =
                admin.send(HostEntries.getLogPage(0x02, 512, 0, true)).receivedSegment();

        assertThat(smart.get(HostEntries.U64, 64)).as("host read commands").isEqualTo(1);
        assertThat(smart.get(HostEntries.U64, 32)).as("data units read").isEqualTo(1);
        assertThat(u8(smart, 0)).as("critical warning").isZero();
    }

    @Test
    void shouldTellTheAnaStateOfTheHostsOwnListener() {
        fixture.target.link(TargetFixture.SUBSYSTEM, fixture.otherListener);
        fixture.target.anaState(
                TargetFixture.SUBSYSTEM, fixture.listener, 5, io.fairlead.nvme.spec.AnaState.INACCESSIBLE);
        LoopbackHost here = fixture.admin();
        LoopbackHost there = fixture.host(TargetFixture.HOST, fixture.otherListener);
        there.connectAdmin();
        there.enable();

        MemorySegment log =
                here.send(HostEntries.getLogPage(0x0C, 88, 0, false)).receivedSegment();
        assertThat(u16(log, 8)).as("groups").isEqualTo(2);
        assertThat(u32(log, 16)).isEqualTo(1);
        assertThat(u32(log, 20)).as("namespaces of group 1").isEqualTo(1);
        assertThat(u8(log, 32) & 0xF).isEqualTo(1);
        assertThat(u32(log, 48)).as("the namespace of group 1").isEqualTo(1);
        assertThat(u32(log, 52)).isEqualTo(5);
        assertThat(u8(log, 68) & 0xF).isEqualTo(3);
        MemorySegment other =
                there.send(HostEntries.getLogPage(0x0C, 88, 0, false)).receivedSegment();
        assertThat(u8(other, 68) & 0xF).isEqualTo(1);
    }

    @Test
    void shouldEndAControllerWhoseHostHasGoneSilent() {
        LoopbackHost admin = fixture.host();
        Exchange connect = admin.connect(0, 31, ANY_CONTROLLER, 5000);
        admin.enable();
        LoopbackHost io = fixture.host();
        io.connectIo(1, (int) connect.result());
        for (int i = 0; i < 5; i++) {
            fixture.group.advanceMillis(2560);
            admin.send(HostEntries.keepAlive());
            tick(admin);
        }
        assertThat(admin.transport().isClosed()).isFalse();

        fixture.group.advanceMillis(4900);
        tick(admin);
        assertThat(admin.transport().isClosed()).isFalse();
        fixture.group.advanceMillis(3000);
        tick(admin);

        assertThat(admin.transport().isClosed()).isTrue();
        assertThat(io.transport().isClosed()).isTrue();
        assertThat(fixture.target.controllers()).isEmpty();
    }

    private void tick(LoopbackHost host) {
        host.tick();
        fixture.group.runTasks();
    }

    @Test
    void shouldWaitForEverWhenTheHostAskedForNoKeepAlive() {
        LoopbackHost admin = fixture.admin();
        fixture.group.advanceMillis(86_400_000);
        tick(admin);

        assertThat(admin.transport().isClosed()).isFalse();
    }

    @Test
    void shouldRefuseAdminOpcodesThatItHasNotAndFusedCommands() {
        LoopbackHost admin = fixture.admin();

        for (int opcode : new int[] {0x00, 0x01, 0x04, 0x05, 0x0D, 0x10, 0x80, 0xC0}) {
            assertThat(admin.send(HostEntries.entry(opcode, 0)).status()).isEqualTo(INVALID_OPCODE);
        }
        MemorySegment fused = HostEntries.keepAlive();
        fused.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x41);
        assertThat(admin.send(fused).status()).isEqualTo(INVALID_FIELD);
    }
}
