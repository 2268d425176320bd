package io.fairlead.worker.engine.embedded.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.nvme.target.PlainTarget;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduType;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.worker.engine.embedded.device.MemoryDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Damaged bytes against the live transport: it goes on serving others, and loses no buffer. */
class TcpTransportFuzz {

    private static final int CONNECTIONS = 1500;
    private static final int CHECK_EVERY = 100;

    private final long seed = Long.getLong("fairlead.seed", System.nanoTime());
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    private long pdus;

    @Test
    void shouldGoOnServingWhateverArrives() throws Exception {
        System.out.println("TcpTransportFuzz seed " + seed);
        // Half a PDU ends soon; a check of ours must not be cut off on a busy machine.
        Duration brief = Duration.ofSeconds(2);
        Duration patient = Duration.ofSeconds(10);
        try (MemoryDevice device = new MemoryDevice(512, 4096);
                TcpTransport transport =
                        TcpTransport.start(TcpSettings.DEFAULT.withTimeouts(patient, patient, brief))) {
            TcpListener listener = transport.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    (fabric, group) -> new PlainTarget(fabric, group, device, 32, 0));
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                attack(listener);
                if (connection % CHECK_EVERY == 0) {
                    assertThat(serves(listener)).as("seed %d", seed).isTrue();
                }
            }
            assertThat(serves(listener)).as("seed %d", seed).isTrue();
            await().atMost(Duration.ofSeconds(30)).until(() -> transport.connections() == 0);
            assertThat(transport.buffersInUse()).as("seed %d", seed).isZero();
        }
        System.out.println("TcpTransportFuzz " + pdus + " PDUs on " + CONNECTIONS + " connections");
    }

    private void attack(TcpListener listener) throws PduFault {
        Digests digests = Digests.of(random.nextInt(4));
        try (RawHost host = new RawHost(listener.address())) {
            if (random.nextInt(10) == 0) {
                byte[] noise = new byte[random.nextInt(400)];
                random.nextBytes(noise);
                host.send(noise);
            } else {
                host.handshake(digests);
            }
            int end = 0;
            int count = 1 + random.nextInt(40);
            for (int i = 0; i < count && end < 500_000; i++) {
                end = putRandom(host, end);
                pdus++;
            }
            int damage = random.nextInt(4);
            for (int i = 0; i < damage; i++) {
                host.out.bytes().put(random.nextInt(end), (byte) random.nextInt());
            }
            host.send(random.nextInt(3) == 0 ? random.nextInt(end + 1) : end);
            if (random.nextBoolean()) {
                host.receive();
            }
            if (random.nextBoolean()) {
                host.reset();
            }
        } catch (IOException e) {
            // The target may close at any moment, as it should on damage.
            assertThat(e).isNotNull();
        }
    }

    private int putRandom(RawHost host, int at) {
        int commandId = random.nextInt(64);
        int block = random.nextInt(random.nextInt(10) == 0 ? 100_000 : 3000);
        return switch (random.nextInt(5)) {
            case 0 -> host.putCommand(at, RawHost.sqe(0x02, commandId, block, 1 + random.nextInt(64)), new byte[0]);
            case 1 -> host.putCommand(at, RawHost.sqe(0x01, commandId, block, 8), new byte[4096]);
            case 2 -> host.putCommand(at, RawHost.sqe(0x01, commandId, block, 1 + random.nextInt(256)), new byte[0]);
            case 3 -> host.putCommand(at, RawHost.sqe(random.nextInt(256), commandId, block, 1), new byte[0]);
            default ->
                host.putData(
                        at,
                        commandId,
                        random.nextInt(32),
                        0,
                        new byte[8192],
                        0,
                        512 * (1 + random.nextInt(16)),
                        random.nextBoolean() ? PduWriter.Position.LAST : PduWriter.Position.MORE_FOLLOW);
        };
    }

    private static boolean serves(TcpListener listener) throws IOException, PduFault {
        try (RawHost host = RawHost.open(listener.address(), Digests.HEADER_AND_DATA)) {
            byte[] content = new byte[4096];
            content[17] = 42;
            host.command(RawHost.sqe(0x01, 1, 0, 8), content);
            host.receive();
            host.command(RawHost.sqe(0x02, 2, 0, 8));
            RawHost.Received data = host.receive();
            return data.type() == PduType.C2H_DATA && data.data()[17] == 42;
        }
    }
}
