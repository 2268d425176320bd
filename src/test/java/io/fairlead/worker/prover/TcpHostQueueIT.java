package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.nvme.initiator.AdminCommands;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.initiator.NvmCommands;
import io.fairlead.nvme.tcp.CommonHeader;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host against a controller that misbehaves: every command ends, and the fault says why. */
@Timeout(60)
class TcpHostQueueIT {

    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final QueueShape SHAPE = new QueueShape(4, 64 << 10, 0, 0);

    private ServerSocketChannel server;
    private CompletableFuture<Void> served;

    /** What the controller does with its one connection. */
    private interface Script {
        void run(Peer peer) throws IOException;
    }

    @BeforeEach
    void listen() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        if (served != null) {
            served.join();
        }
    }

    @Test
    void shouldGiveUpOnAHandshakeThatIsNotAnswered() {
        serve(Peer::untilClosed);

        assertThat(faultOf(() -> open(Digests.NONE, SHORT_NANOS)).kind()).isEqualTo(Kind.TIMED_OUT);
    }

    @Test
    void shouldGiveUpOnAConnectionThatIsClosedAtOnce() {
        serve(peer -> {});

        InitiatorFault fault = faultOf(() -> open(Digests.NONE, LONG_NANOS));

        assertThat(fault.kind()).isEqualTo(Kind.CONNECTION_LOST);
    }

    @Test
    void shouldRefuseDigestsThatItDidNotAskFor() {
        serve(peer -> {
            peer.readBytes(128);
            peer.icResp(Digests.NONE);
            peer.untilClosed();
        });

        assertThat(faultOf(() -> open(Digests.HEADER_AND_DATA, LONG_NANOS)).kind())
                .isEqualTo(Kind.TRANSPORT_BROKEN);
    }

    @Test
    void shouldRefuseNonsense() {
        serve(peer -> {
            peer.readBytes(128);
            peer.write(ByteBuffer.wrap(
                    "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            peer.untilClosed();
        });

        assertThat(faultOf(() -> open(Digests.NONE, LONG_NANOS)).kind()).isEqualTo(Kind.TRANSPORT_BROKEN);
    }

    @Test
    void shouldEndTheConnectionWhenACommandIsNotAnswered() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            peer.untilClosed();
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS, SHORT_NANOS)) {
            CompletableFuture<Completion> first = queue.submit(AdminCommands.keepAlive());
            CompletableFuture<Completion> second = queue.submit(AdminCommands.keepAlive());

            assertThat(faultOf(() -> TcpHostQueue.await(first)).kind()).isEqualTo(Kind.TIMED_OUT);
            assertThat(faultOf(() -> TcpHostQueue.await(second)).kind()).isEqualTo(Kind.TIMED_OUT);
            assertThat(faultOf(() -> queue.execute(AdminCommands.keepAlive())).kind())
                    .isEqualTo(Kind.TIMED_OUT);
        }
    }

    @Test
    void shouldFailEveryCommandInFlightWhenTheConnectionIsDropped() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            peer.readBytes(72 * 2);
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS)) {
            CompletableFuture<Completion> first = queue.submit(AdminCommands.keepAlive());
            CompletableFuture<Completion> event = queue.submitWithoutDeadline(AdminCommands.asynchronousEventRequest());

            assertThat(faultOf(() -> TcpHostQueue.await(first)).kind()).isEqualTo(Kind.CONNECTION_LOST);
            assertThat(faultOf(() -> TcpHostQueue.await(event)).kind()).isEqualTo(Kind.CONNECTION_LOST);
        }
    }

    @Test
    void shouldWakeWhoeverWaitsForAFreeEntryWhenTheConnectionIsDropped() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            peer.readBytes(72 * 3);
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS)) {
            for (int entry = 0; entry < SHAPE.depth() - 1; entry++) {
                CompletableFuture<Completion> unused = queue.submit(AdminCommands.keepAlive());
                assertThat(unused).isNotNull();
            }

            assertThat(faultOf(() -> queue.execute(AdminCommands.keepAlive())).kind())
                    .isEqualTo(Kind.CONNECTION_LOST);
        }
    }

    @Test
    void shouldRefuseACompletionOfACommandThatItDidNotSend() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            peer.readBytes(72);
            peer.completion(0x0BAD);
            peer.untilClosed();
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS)) {
            assertThat(faultOf(() -> queue.execute(AdminCommands.keepAlive())).kind())
                    .isEqualTo(Kind.TRANSPORT_BROKEN);
        }
    }

    @Test
    void shouldRefuseDataBeyondTheEndOfItsBuffer() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            int commandId = peer.readCommand(72);
            peer.data(commandId, 4, 512);
            peer.untilClosed();
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS)) {
            assertThat(faultOf(() -> queue.execute(readOf(512))).kind()).isEqualTo(Kind.TRANSPORT_BROKEN);
        }
    }

    @Test
    void shouldRefuseToSendDataThatACommandDoesNotHave() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.NONE);
            int commandId = peer.readCommand(72);
            peer.readyToTransfer(commandId, 512, 512);
            peer.untilClosed();
        });
        try (TcpHostQueue queue = open(Digests.NONE, LONG_NANOS)) {
            HostCommand write =
                    NvmCommands.write(1, 0, 512, MemorySegment.ofArray(new byte[512]), NvmCommands.Durability.CACHED);

            assertThat(faultOf(() -> queue.execute(write)).kind()).isEqualTo(Kind.TRANSPORT_BROKEN);
        }
    }

    @Test
    void shouldTellOfDataThatWasDamagedOnItsWayAndGoOn() throws Exception {
        serve(peer -> {
            peer.handshake(Digests.DATA);
            int commandId = peer.readCommand(72);
            peer.dataWithWrongDigest(commandId, 512);
            peer.completion(commandId);
            peer.completion(peer.readCommand(72));
            peer.untilClosed();
        });
        try (TcpHostQueue queue = open(Digests.DATA, LONG_NANOS)) {
            Completion damaged = queue.execute(readOf(512));

            assertThat(damaged.succeeded()).isFalse();
            assertThat(damaged.statusCode()).isEqualTo(0x22);
            assertThat(queue.execute(AdminCommands.keepAlive()).succeeded()).isTrue();
        }
    }

    @Test
    void shouldKeepTheControllerAliveWithoutBeingAsked() throws Exception {
        CompletableFuture<Integer> keptAlive = new CompletableFuture<>();
        serve(peer -> {
            peer.handshake(Digests.NONE);
            for (int count = 1; count <= 3; count++) {
                peer.completion(peer.readCommand(72));
            }
            keptAlive.complete(3);
            peer.untilClosed();
        });
        QueueShape shape = new QueueShape(4, 4096, 0, TimeUnit.MILLISECONDS.toNanos(20));
        try (TcpHostQueue queue = TcpHostQueue.open(
                address(), shape, Digests.NONE, LONG_NANOS, System.nanoTime() + LONG_NANOS, System::nanoTime)) {
            queue.liftCeiling();

            assertThat(keptAlive.get(30, TimeUnit.SECONDS)).isEqualTo(3);
        }
    }

    private static HostCommand readOf(int bytes) {
        return NvmCommands.read(1, 0, 512, MemorySegment.ofArray(new byte[bytes]));
    }

    private InetSocketAddress address() {
        try {
            return (InetSocketAddress) server.getLocalAddress();
        } catch (IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }

    private TcpHostQueue open(Digests digests, long ceilingNanos) throws InitiatorFault {
        return open(digests, ceilingNanos, LONG_NANOS);
    }

    private TcpHostQueue open(Digests digests, long ceilingNanos, long commandNanos) throws InitiatorFault {
        TcpHostQueue queue = TcpHostQueue.open(
                address(), SHAPE, digests, commandNanos, System.nanoTime() + ceilingNanos, System::nanoTime);
        queue.liftCeiling();
        return queue;
    }

    private void serve(Script script) {
        served = CompletableFuture.runAsync(() -> {
            try (SocketChannel channel = server.accept()) {
                script.run(new Peer(channel));
            } catch (IOException hostLeft) {
                // Each script ends when the host leaves; what matters is what the host found.
            }
        });
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

    /** The controller's end of the connection. */
    private static final class Peer {
        private final SocketChannel channel;
        private final PduWriter writer = new PduWriter();
        private final WireBuffer out = WireBuffer.allocate(8192);

        Peer(SocketChannel channel) {
            this.channel = channel;
        }

        void handshake(Digests digests) throws IOException {
            readBytes(128);
            icResp(digests);
            writer.onHandshakeDone(digests, 4);
        }

        void icResp(Digests digests) throws IOException {
            send(writer.icResp(out, 0, 0, digests, 8192));
        }

        void completion(int commandId) throws IOException {
            MemorySegment cqe = MemorySegment.ofArray(new byte[16]);
            cqe.set(ValueLayout.JAVA_SHORT_UNALIGNED, 12, (short) commandId);
            send(writer.capsuleResp(out, 0, cqe, 0));
        }

        void data(int commandId, int offset, int bytes) throws IOException {
            int header = writer.c2hData(out, 0, commandId, offset, bytes, PduWriter.Position.LAST);
            send(header + bytes);
        }

        void dataWithWrongDigest(int commandId, int bytes) throws IOException {
            int header = writer.c2hData(out, 0, commandId, 0, bytes, PduWriter.Position.LAST);
            int end = header + bytes;
            end += writer.dataDigest(out, end, out, header, bytes);
            out.segment()
                    .set(ValueLayout.JAVA_BYTE, header, (byte) ~out.segment().get(ValueLayout.JAVA_BYTE, header));
            send(end);
        }

        void readyToTransfer(int commandId, int offset, int bytes) throws IOException {
            send(writer.r2t(out, 0, commandId, 1, offset, bytes));
        }

        private void send(int bytes) throws IOException {
            write(out.bytes().limit(bytes).position(0));
        }

        void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        ByteBuffer readBytes(int count) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(count).order(java.nio.ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw new IOException("the host left");
                }
            }
            return bytes.flip();
        }

        /** The identifier of the command in a capsule without data or digests. */
        int readCommand(int bytes) throws IOException {
            return Short.toUnsignedInt(readBytes(bytes).getShort(CommonHeader.BYTES + 2));
        }

        void untilClosed() throws IOException {
            ByteBuffer rest = ByteBuffer.allocate(4096);
            while (channel.read(rest.clear()) >= 0) {
                // Whatever the host still says is not answered.
            }
        }
    }
}
