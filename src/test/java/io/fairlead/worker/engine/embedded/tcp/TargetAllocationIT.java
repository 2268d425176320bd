package io.fairlead.worker.engine.embedded.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import io.fairlead.nvme.target.ListenerAddress;
import io.fairlead.nvme.target.NamespaceModel;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.target.Target;
import io.fairlead.nvme.target.TargetSettings;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduType;
import io.fairlead.worker.engine.embedded.device.MemoryDevice;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Transport, target and device together allocate nothing for a read or a write once they are warm. */
class TargetAllocationIT {

    private static final String NQN = "nqn.2026-01.io.fairlead:allocation";
    private static final String HOST = "nqn.2026-01.io.fairlead:host";
    private static final int BATCH = 32;
    private static final int ROUNDS = 200;

    @Test
    void shouldAllocateNothingPerCommand() throws Exception {
        UUID listener = new UUID(1, 1);
        Target target =
                new Target(new TargetSettings("0.1", 4096, 5, 128, 4), Runnable::run, new Random(1), refusal -> {});
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (MemoryDevice device = new MemoryDevice(4096, 256);
                TcpTransport transport = TcpTransport.start(TcpSettings.DEFAULT.withBusyPoll(Duration.ofSeconds(5)))) {
            TcpListener bound = transport.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    (fabric, group) -> target.newQueue(fabric, group, listener));
            serve(target, listener, device);
            long poller = transport.threads().getFirst().threadId();
            try (RawHost admin = RawHost.open(bound.address(), Digests.NONE);
                    RawHost io = RawHost.open(bound.address(), Digests.NONE)) {
                connect(admin, io);
                rounds(io);
                rounds(io);
                long before = threads.getThreadAllocatedBytes(poller);
                int commands = rounds(io);
                long allocated = threads.getThreadAllocatedBytes(poller) - before;
                // The tick and the selector allocate a little ten times a second; a command must not.
                assertThat((double) allocated / commands)
                        .as("%d bytes for %d commands", allocated, commands)
                        .isLessThan(8.0);
            }
        }
    }

    private static void serve(Target target, UUID listener, MemoryDevice device) {
        target.putListener(new ListenerAddress(
                listener, 1, FabricTransportType.TCP, FabricAddressFamily.IPV4, "127.0.0.1", "4420"));
        target.putSubsystem(NQN, "SERIAL", "Fairlead", SubsystemModel.Access.ANY_HOST, 1, 100);
        target.addNamespace(NQN, new NamespaceModel(1, new UUID(2, 2), new byte[16], new byte[8], 1, device));
        target.link(NQN, listener);
    }

    private static void connect(RawHost admin, RawHost io) throws IOException, PduFault {
        admin.command(RawHost.connect(0, 31, 0xFFFF), RawHost.connectData(0xFFFF, NQN, HOST));
        RawHost.Received connected = admin.receive();
        assertThat(connected.status()).isZero();
        int controller = connected.header().getShort(8) & 0xFFFF;
        admin.command(RawHost.propertySet(0x14, 0x0046_0001));
        assertThat(admin.receive().status()).isZero();
        io.command(RawHost.connect(1, 127, controller), RawHost.connectData(controller, NQN, HOST));
        assertThat(io.receive().status()).isZero();
    }

    private static int rounds(RawHost io) throws IOException, PduFault {
        byte[] block = new byte[4096];
        for (int round = 0; round < ROUNDS; round++) {
            int end = 0;
            for (int command = 0; command < BATCH; command++) {
                end = io.putCommand(
                        end, RawHost.described(RawHost.sqe(0x02, command, command, 1), 4096, 0), new byte[0]);
                end = io.putCommand(
                        end, RawHost.described(RawHost.sqe(0x01, BATCH + command, command, 1), 4096, 4096), block);
            }
            io.send(end);
            int answers = 0;
            while (answers < 2 * BATCH) {
                RawHost.Received received = io.receive();
                if (received.type() == PduType.CAPSULE_RESP) {
                    assertThat(received.status()).isZero();
                    answers++;
                }
            }
        }
        return ROUNDS * 2 * BATCH;
    }
}
