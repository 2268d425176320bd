package io.fairlead.worker.engine.embedded.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.nvme.target.PlainTarget;
import io.fairlead.nvme.tcp.CommonHeader;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.FatalError;
import io.fairlead.nvme.tcp.IcResp;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduType;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.R2t;
import io.fairlead.worker.engine.embedded.device.MemoryDevice;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The transport over real sockets, with the plainest of targets behind it. */
class TcpTransportIT {

    private static final int BLOCK = 512;
    private static final int READ = 0x02;
    private static final int WRITE = 0x01;
    private static final int DISCONNECT = 0x09;
    private static final int DEPTH = 128;

    private final MemoryDevice device = new MemoryDevice(BLOCK, 8192);
    private final Random random = new Random(5);
    private TcpTransport transport;
    private TcpListener listener;

    private void start(TcpSettings settings, int sqhd) throws IOException {
        transport = TcpTransport.start(settings);
        listener = listen(sqhd);
    }

    private TcpListener listen(int sqhd) throws IOException {
        return transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (fabric, group) -> new PlainTarget(fabric, group, device, DEPTH, sqhd));
    }

    private void start() throws IOException {
        start(TcpSettings.DEFAULT, 0);
    }

    @AfterEach
    void shouldHaveGivenEverythingBack() {
        if (transport != null) {
            listener.close();
            await().until(() -> transport.connections() == 0);
            assertThat(transport.buffersInUse()).isZero();
            transport.close();
            device.close();
        }
    }

    @Test
    void shouldGiveTheFirstHostAfterALongIdleSpellItsWholeTimeForTheHandshake() throws Exception {
        Duration timeLimit = Duration.ofSeconds(4);
        TcpSettings usual = TcpSettings.DEFAULT;
        start(usual.withTimeouts(timeLimit, usual.firstCommandTimeout(), usual.stallTimeout()), 0);
        long idleSince = System.nanoTime();
        await().until(() ->
                System.nanoTime() - idleSince > timeLimit.plusMillis(200).toNanos());

        try (SocketChannel silent = SocketChannel.open(listener.address())) {
            // It is accepted, and stays although it has not said anything yet.
            await().during(Duration.ofMillis(400)).until(() -> transport.connections() == 1);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private RawHost host(Digests digests) throws IOException, PduFault {
        return RawHost.open(listener.address(), digests);
    }

    private static byte[] read(RawHost host, int block, int blocks) throws IOException, PduFault {
        host.command(RawHost.sqe(READ, 77, block, blocks));
        RawHost.Received data = host.receive();
        assertThat(data.type()).isEqualTo(PduType.C2H_DATA);
        RawHost.Received response = host.receive();
        assertThat(response.type()).isEqualTo(PduType.CAPSULE_RESP);
        assertThat(response.status()).isZero();
        assertThat(response.commandId()).isEqualTo(77);
        return data.data();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAgreeToTheDigestsThatAreAskedFor(Digests digests) throws Exception {
        start();
        try (RawHost host = new RawHost(listener.address())) {
            RawHost.Received response = host.handshake(digests);
            assertThat(response.type()).isEqualTo(PduType.IC_RESP);
            assertThat(response.header().getInt(IcResp.MAXH2CDATA_OFFSET)).isEqualTo(131_072);
            assertThat(response.header().get(IcResp.DGST_OFFSET)).isEqualTo((byte) digests.code());
            assertThat(response.header().get(IcResp.CPDA_OFFSET)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBringBackWhatWasWrittenInTheCapsuleAndByTransfer(Digests digests) throws Exception {
        start();
        try (RawHost host = host(digests)) {
            byte[] inCapsule = bytes(4096);
            host.command(RawHost.sqe(WRITE, 5, 16, 8), inCapsule);
            assertThat(host.receive().status()).isZero();
            assertThat(read(host, 16, 8)).isEqualTo(inCapsule);

            byte[] large = bytes(131_072);
            host.command(RawHost.sqe(WRITE, 6, 100, 256));
            RawHost.Received r2t = host.receive();
            assertThat(r2t.type()).isEqualTo(PduType.R2T);
            assertThat(r2t.header().getInt(R2t.R2TL_OFFSET)).isEqualTo(large.length);
            host.answer(r2t, large, 8192);
            assertThat(host.receive().commandId()).isEqualTo(6);
            assertThat(read(host, 100, 256)).isEqualTo(large);
            host.command(RawHost.sqe(WRITE, 7, 100, 256));
            host.answer(host.receive(), large, 131_072);
            assertThat(host.receive().status()).isZero();
        }
    }

    @Test
    void shouldKeepTheHostsAlignmentOfData() throws Exception {
        start();
        try (RawHost host = new RawHost(listener.address())) {
            host.send(host.writer.icReq(host.out, 0, 31, Digests.NONE, 0));
            host.receive();
            host.command(RawHost.sqe(READ, 1, 0, 1));
            assertThat(host.receive().header().get(CommonHeader.PDO_OFFSET)).isEqualTo((byte) 128);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "HEADER_AND_DATA"})
    void shouldLeaveOutTheResponseOnlyWithoutFlowControl(Digests digests) throws Exception {
        start(TcpSettings.DEFAULT, 0xFFFF);
        try (RawHost host = host(digests)) {
            for (int command = 0; command < 3; command++) {
                host.command(RawHost.sqe(READ, command, 0, 8));
                RawHost.Received data = host.receive();
                assertThat(data.type()).isEqualTo(PduType.C2H_DATA);
                assertThat(data.commandId()).isEqualTo(command);
                assertThat(data.flags() & CommonHeader.FLAG_SUCCESS).isNotZero();
            }
            host.command(RawHost.sqe(WRITE, 9, 0, 1), bytes(BLOCK));
            assertThat(host.receive().type()).isEqualTo(PduType.CAPSULE_RESP);
        }
    }

    @Test
    void shouldAnswerABatchInOrderOfCompletion() throws Exception {
        start();
        try (RawHost host = host(Digests.NONE)) {
            int end = 0;
            for (int command = 0; command < DEPTH; command++) {
                end = host.putCommand(end, RawHost.sqe(READ, command, command * 8, 8), new byte[0]);
            }
            host.send(end);
            for (int command = 0; command < DEPTH; command++) {
                assertThat(host.receive().type()).isEqualTo(PduType.C2H_DATA);
                assertThat(host.receive().commandId()).isEqualTo(command);
            }
        }
    }

    @Test
    void shouldServeSeveralTransfersAtOnce() throws Exception {
        start();
        try (RawHost host = host(Digests.NONE)) {
            List<byte[]> contents = new ArrayList<>();
            for (int command = 0; command < 8; command++) {
                contents.add(bytes(16_384));
                host.command(RawHost.sqe(WRITE, command, command * 32, 32));
            }
            List<RawHost.Received> asked = new ArrayList<>();
            for (int command = 0; command < 8; command++) {
                asked.add(host.receive());
            }
            for (RawHost.Received r2t : asked.reversed()) {
                host.answer(r2t, contents.get(r2t.commandId()), 4096);
            }
            for (int command = 0; command < 8; command++) {
                assertThat(host.receive().status()).isZero();
            }
            for (int command = 0; command < 8; command++) {
                assertThat(read(host, command * 32, 32)).isEqualTo(contents.get(command));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DATA", "HEADER_AND_DATA"})
    void shouldFailOnlyTheCommandWhoseDataWasDamaged(Digests digests) throws Exception {
        start();
        try (RawHost host = host(digests)) {
            int end = host.putCommand(0, RawHost.sqe(WRITE, 5, 16, 8), bytes(4096));
            host.out.bytes().put(end - 1000, (byte) (host.out.bytes().get(end - 1000) ^ 1));
            host.send(end);
            RawHost.Received response = host.receive();
            assertThat(response.commandId()).isEqualTo(5);
            assertThat(response.status()).isEqualTo(PlainTarget.STATUS_TRANSPORT_ERROR);
            assertThat(read(host, 16, 8)).containsOnly(0);

            host.command(RawHost.sqe(WRITE, 6, 16, 16));
            RawHost.Received r2t = host.receive();
            byte[] data = bytes(8192);
            int tag = r2t.header().getShort(R2t.TTAG_OFFSET);
            end = host.putData(0, 6, tag, 0, data, 0, 4096, PduWriter.Position.MORE_FOLLOW);
            host.out.bytes().put(end - 1000, (byte) (host.out.bytes().get(end - 1000) ^ 1));
            end = host.putData(end, 6, tag, 4096, data, 4096, 4096, PduWriter.Position.LAST);
            host.send(end);
            assertThat(host.receive().status()).isEqualTo(PlainTarget.STATUS_TRANSPORT_ERROR);
            assertThat(read(host, 16, 16)).containsOnly(0);
        }
    }

    @Test
    void shouldTerminateWhenAHeaderWasDamaged() throws Exception {
        start();
        try (RawHost host = host(Digests.HEADER)) {
            int end = host.putCommand(0, RawHost.sqe(READ, 5, 16, 8), new byte[0]);
            host.out.bytes().put(40, (byte) 1);
            host.send(end);
            RawHost.Received term = host.receive();
            assertThat(term.type()).isEqualTo(PduType.C2H_TERM_REQ);
            assertThat(term.fatalError()).isEqualTo(FatalError.HEADER_DIGEST_ERROR.code());
            assertThat(term.data()).hasSize(72);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x0A, 1, 0", // No such type.
        "0, 0x05, 2, 0", // A type of the other direction.
        "0, 0x00, 2, 0", // A second ICReq.
        "1, 1, 1, 1", // A digest flag that was not agreed.
        "2, 71, 1, 2", // HLEN.
        "4, 71, 1, 4" // PLEN.
    })
    void shouldTerminateTheConnectionWithAMalformedPduAndNoOther(int offset, String value, int error, int information)
            throws Exception {
        start();
        try (RawHost good = host(Digests.NONE);
                RawHost bad = host(Digests.NONE)) {
            int end = bad.putCommand(0, RawHost.sqe(READ, 5, 16, 8), new byte[0]);
            bad.out.bytes().put(offset, Integer.decode(value).byteValue());
            bad.send(end);
            RawHost.Received term = bad.receive();
            assertThat(term.type()).isEqualTo(PduType.C2H_TERM_REQ);
            assertThat(term.fatalError()).isEqualTo(error);
            assertThat(term.fatalInformation()).isEqualTo(information);
            assertThat(read(good, 0, 8)).hasSize(4096);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 9, 0, 4096, LAST, 1, 10", // A tag that was not given.
        "2, 0, 0, 4096, LAST, 1, 8", // Another command's.
        "1, 0, 512, 4096, LAST, 4, 0", // Not from the front.
        "1, 0, 0, 16384, LAST, 4, 0", // More than asked for.
        "1, 0, 0, 4096, LAST, 2, 0" // Said to be the last too early.
    })
    void shouldTerminateWhenTransferredDataIsNotWhatWasAskedFor(
            int commandId,
            int tagChange,
            int offset,
            int length,
            PduWriter.Position position,
            int error,
            int information)
            throws Exception {
        start();
        try (RawHost host = host(Digests.NONE)) {
            host.command(RawHost.sqe(WRITE, 1, 0, 16));
            int tag = host.receive().header().getShort(R2t.TTAG_OFFSET) + tagChange;
            host.send(host.putData(0, commandId, tag, offset, bytes(length), 0, length, position));
            RawHost.Received term = host.receive();
            assertThat(term.type()).isEqualTo(PduType.C2H_TERM_REQ);
            assertThat(term.fatalError()).isEqualTo(error);
            assertThat(term.fatalInformation()).isEqualTo(information);
        }
    }

    @Test
    void shouldTerminateAHostThatSendsMoreCommandsThanTheQueueIsDeep() throws Exception {
        start();
        try (RawHost host = host(Digests.NONE)) {
            int end = 0;
            for (int command = 0; command <= DEPTH; command++) {
                end = host.putCommand(end, RawHost.sqe(WRITE, command, 0, 1), new byte[0]);
            }
            host.send(end);
            RawHost.Received last = host.receive();
            while (last.type() == PduType.R2T) {
                last = host.receive();
            }
            assertThat(last.type()).isEqualTo(PduType.C2H_TERM_REQ);
            assertThat(last.fatalError()).isEqualTo(FatalError.PDU_SEQUENCE_ERROR.code());
        }
    }

    @Test
    void shouldGiveBuffersBackWhenAHostLeavesInTheMiddleOfATransfer() throws Exception {
        start();
        for (int round = 0; round < 20; round++) {
            RawHost host = host(Digests.NONE);
            for (int command = 0; command < 4; command++) {
                host.command(RawHost.sqe(WRITE, command, 0, 256));
            }
            RawHost.Received r2t = host.receive();
            int end = host.putData(
                    0,
                    r2t.commandId(),
                    r2t.header().getShort(R2t.TTAG_OFFSET),
                    0,
                    bytes(131_072),
                    0,
                    131_072,
                    PduWriter.Position.LAST);
            host.send(end / 2);
            if (round % 2 == 0) {
                host.close();
            } else {
                host.reset();
            }
        }
        await().until(() -> transport.connections() == 0);
        assertThat(transport.buffersInUse()).isZero();
    }

    @Test
    void shouldInterruptCommandsWhenItsBuffersAreUsedUpAndGoOn() throws Exception {
        start(TcpSettings.DEFAULT.withBufferMemoryBytes(1 << 20), 0);
        try (RawHost hog = host(Digests.NONE);
                RawHost host = host(Digests.NONE)) {
            for (int command = 0; command < 8; command++) {
                hog.command(RawHost.sqe(WRITE, command, 0, 256));
                assertThat(hog.receive().type()).isEqualTo(PduType.R2T);
            }
            host.command(RawHost.sqe(WRITE, 1, 0, 1), bytes(BLOCK));
            assertThat(host.receive().status()).isEqualTo(PlainTarget.STATUS_INTERRUPTED);
            host.command(RawHost.sqe(READ, 2, 0, 1));
            assertThat(host.receive().status()).isEqualTo(PlainTarget.STATUS_INTERRUPTED);
            hog.close();
            await().until(() -> transport.buffersInUse() == 0);
            assertThat(read(host, 0, 256)).hasSize(131_072);
        }
    }

    @Test
    void shouldFlushAndThenCloseWhenTheTargetDisconnects() throws Exception {
        start();
        try (RawHost host = host(Digests.NONE)) {
            int end = host.putCommand(0, RawHost.sqe(READ, 1, 0, 8), new byte[0]);
            end = host.putCommand(end, RawHost.sqe(DISCONNECT, 2, 0, 1), new byte[0]);
            host.send(end);
            assertThat(host.receive().data()).hasSize(4096);
            assertThat(host.receive().commandId()).isEqualTo(1);
            assertThat(host.isClosedByController()).isTrue();
        }
    }

    @Test
    void shouldCloseSilentAndSlowPeersInTime() throws Exception {
        Duration brief = Duration.ofMillis(1500);
        start(TcpSettings.DEFAULT.withTimeouts(brief, brief, brief), 0);
        try (RawHost silent = new RawHost(listener.address());
                RawHost idle = host(Digests.NONE);
                RawHost slow = host(Digests.NONE);
                RawHost quiet = host(Digests.NONE)) {
            quiet.command(RawHost.sqe(READ, 1, 0, 8));
            quiet.receive();
            slow.command(RawHost.sqe(READ, 1, 0, 8));
            slow.receive();
            slow.send(new byte[] {4, 0, 72});
            assertThat(silent.isClosedByController()).as("no ICReq").isTrue();
            assertThat(idle.isClosedByController()).as("no command").isTrue();
            assertThat(slow.isClosedByController()).as("half a PDU").isTrue();
            assertThat(quiet.receive().type())
                    .as("one that rests between commands")
                    .isEqualTo(PduType.CAPSULE_RESP);
            assertThat(read(quiet, 0, 8)).hasSize(4096);
        }
    }

    @Test
    void shouldCloseConnectionsBeyondTheLimitAndServeTheOthers() throws Exception {
        start(TcpSettings.DEFAULT.withConnectionsMax(2), 0);
        try (RawHost one = host(Digests.NONE);
                RawHost two = host(Digests.NONE)) {
            try (RawHost three = new RawHost(listener.address())) {
                assertThat(three.isClosedByController()).isTrue();
            }
            assertThat(read(one, 0, 8)).hasSize(4096);
            two.close();
            await().until(() -> transport.connections() == 1);
            try (RawHost four = host(Digests.NONE)) {
                assertThat(read(four, 0, 8)).hasSize(4096);
            }
        }
    }

    @Test
    void shouldSurviveAStormOfConnections() throws Exception {
        start(TcpSettings.DEFAULT.withPollGroups(2), 0);
        for (int round = 0; round < 3; round++) {
            List<RawHost> hosts = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                hosts.add(new RawHost(listener.address()));
            }
            for (RawHost host : hosts) {
                host.handshake(Digests.NONE);
            }
            assertThat(read(hosts.getLast(), 0, 8)).hasSize(4096);
            for (RawHost host : hosts) {
                host.close();
            }
        }
        await().until(() -> transport.connections() == 0);
    }

    @Test
    void shouldCloseOnlyTheConnectionsOfAListenerThatIsClosed() throws Exception {
        start();
        TcpListener other = listen(0);
        try (RawHost here = host(Digests.NONE);
                RawHost there = RawHost.open(other.address(), Digests.NONE)) {
            other.close();
            assertThat(there.isClosedByController()).isTrue();
            assertThat(read(here, 0, 8)).hasSize(4096);
        }
        assertThatThrownBy(() -> new RawHost(other.address())).isInstanceOf(IOException.class);
        transport.listen(other.address(), other.opener()).close();
    }

    @Test
    void shouldSayThatAnAddressOrPortIsNotToBeHad() throws Exception {
        start();
        assertThatThrownBy(() -> transport.listen(listener.address(), listener.opener()))
                .isInstanceOf(BindException.class);
        assertThatThrownBy(() -> transport.listen(new InetSocketAddress("192.0.2.10", 4420), listener.opener()))
                .isInstanceOf(BindException.class);
    }

    @Test
    void shouldServeOnIpv6AndOnTheWildcardAddress() throws Exception {
        start();
        for (String text : List.of("::1", "0.0.0.0", "::")) {
            TcpListener wild = transport.listen(new InetSocketAddress(text, 0), listener.opener());
            String peer = text.contains(":") ? "::1" : "127.0.0.1";
            try (RawHost host =
                    RawHost.open(new InetSocketAddress(peer, wild.address().getPort()), Digests.NONE)) {
                assertThat(read(host, 0, 8)).hasSize(4096);
            }
            wild.close();
        }
    }

    @Test
    void shouldAllocateNothingPerCommand() throws Exception {
        start(TcpSettings.DEFAULT.withBusyPoll(Duration.ofSeconds(5)), 0);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long poller = transport.threads().getFirst().threadId();
        try (RawHost host = host(Digests.HEADER_AND_DATA)) {
            byte[] block = bytes(4096);
            rounds(host, block, 100);
            long before = threads.getThreadAllocatedBytes(poller);
            int commands = rounds(host, block, 100);
            long allocated = threads.getThreadAllocatedBytes(poller) - before;
            // The tick and the selector allocate a little ten times a second; a command must not.
            assertThat((double) allocated / commands)
                    .as("%d bytes for %d commands", allocated, commands)
                    .isLessThan(4.0);
        }
    }

    @Test
    void shouldServeOthersWhileADeviceHangs() throws Exception {
        start();
        HeldDevice hung = new HeldDevice(BLOCK);
        TcpListener other = transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (fabric, group) -> new PlainTarget(fabric, group, hung, DEPTH, 0));
        try (RawHost waiting = RawHost.open(other.address(), Digests.NONE);
                RawHost served = host(Digests.NONE)) {
            waiting.command(RawHost.sqe(READ, 3, 0, 8));
            for (int round = 0; round < 50; round++) {
                assertThat(read(served, 0, 8)).hasSize(4096);
            }
            hung.letGo();
            assertThat(waiting.receive().type()).isEqualTo(PduType.C2H_DATA);
        }
        other.close();
    }

    @Test
    void shouldKeepBuffersOfAHostThatLeftUntilTheDeviceIsDoneWithThem() throws Exception {
        start();
        HeldDevice hung = new HeldDevice(BLOCK);
        TcpListener other = transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (fabric, group) -> new PlainTarget(fabric, group, hung, DEPTH, 0));
        try (RawHost host = RawHost.open(other.address(), Digests.NONE)) {
            for (int command = 0; command < 8; command++) {
                host.command(RawHost.sqe(READ, command, 0, 8));
            }
            await().until(() -> transport.buffersInUse() == 8);
        }
        await().until(() -> transport.connections() == 0);
        assertThat(transport.buffersInUse()).isEqualTo(8);
        assertThat(transport.release(hung, Duration.ofMillis(50))).isFalse();
        hung.letGo();
        assertThat(transport.release(hung, Duration.ofSeconds(10))).isTrue();
        assertThat(transport.buffersInUse()).isZero();
        other.close();
    }

    @Test
    void shouldCloseEverythingWhenAPollGroupDies() throws Exception {
        start();
        TcpListener deadly =
                transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), (fabric, group) -> {
                    throw new AssertionError("of the test");
                });
        try (RawHost bystander = host(Digests.NONE);
                RawHost killer = new RawHost(deadly.address())) {
            killer.send(killer.writer.icReq(killer.out, 0, 0, Digests.NONE, 0));
            assertThat(killer.isClosedByController()).isTrue();
            assertThat(bystander.isClosedByController()).isTrue();
        }
        await().until(() -> !listener.isListening());
        await().until(() -> !transport.threads().getFirst().isAlive());
        assertThatThrownBy(() -> listen(0)).isInstanceOf(IOException.class).hasMessageContaining("stopped");
        deadly.close();
    }

    private static int rounds(RawHost host, byte[] block, int rounds) throws IOException, PduFault {
        for (int round = 0; round < rounds; round++) {
            int end = 0;
            for (int command = 0; command < 32; command++) {
                end = host.putCommand(end, RawHost.sqe(READ, command, command * 8, 8), new byte[0]);
                end = host.putCommand(end, RawHost.sqe(WRITE, 32 + command, command * 8, 8), block);
            }
            host.send(end);
            int answers = 0;
            while (answers < 64) {
                answers += host.receive().type() == PduType.CAPSULE_RESP ? 1 : 0;
            }
        }
        return rounds * 64;
    }
}
