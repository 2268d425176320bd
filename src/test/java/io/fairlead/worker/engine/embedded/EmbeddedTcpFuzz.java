package io.fairlead.worker.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.core.ListenerId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.WireBuffer;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.TargetSpecs;
import io.fairlead.worker.engine.embedded.tcp.RawHost;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import io.fairlead.worker.prover.HostConnection;
import io.fairlead.worker.prover.HostOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts that connect properly and then send anything: random commands with random descriptors, admin and I/O, data that nobody asked
 * for, damaged bytes. The engine goes on serving others, reports no fault of its own, and loses no buffer.
 */
class EmbeddedTcpFuzz {

    private static final int CONNECTIONS = 1200;
    private static final int CHECK_EVERY = 150;
    private static final long SIZE_BYTES = 1 << 20;

    private static final int[] ADMIN_OPCODES = {0x02, 0x06, 0x08, 0x09, 0x0A, 0x0C, 0x18, 0x7F, 0x80};
    private static final int[] IO_OPCODES = {0x00, 0x01, 0x02, 0x05, 0x08, 0x09, 0x0D, 0x7F};
    private static final int[] FABRICS_TYPES = {0x00, 0x01, 0x04, 0x05, 0x06, 0x08};

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("fairlead.seed", System.nanoTime());
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    private final TargetSpecs specs = new TargetSpecs(1);
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final String nqn = TargetSpecs.subsystemNqn("fuzzed");
    private final HostIdentity host =
            new HostIdentity("nqn.2026-01.io.fairlead:fuzz", new UUID(1, 2), Optional.empty());
    private long commands;
    private int accepted;

    @Test
    void shouldGoOnServingWhateverHostsSend() throws Exception {
        System.out.println("EmbeddedTcpFuzz seed " + seed);
        Handler watch = watch();
        Logger.getLogger("io.fairlead").addHandler(watch);
        // Half a PDU ends soon; a check of ours must not be cut off on a busy machine.
        Duration brief = Duration.ofSeconds(2);
        Duration patient = Duration.ofSeconds(10);
        try (EmbeddedEngine engine = EmbeddedEngine.open(
                TcpSettings.DEFAULT.withTimeouts(patient, patient, brief), InstantSource.system())) {
            InetSocketAddress address = serve(engine);
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                attack(address);
                if (connection % CHECK_EVERY == 0) {
                    shouldServe(address);
                }
            }
            shouldServe(address);
            await().atMost(Duration.ofSeconds(60)).until(() -> engine.connections() == 0);
            assertThat(engine.buffersInUse()).as("seed %d", seed).isZero();
            assertThat(engine.connected()).as("seed %d", seed).isEmpty();
        } finally {
            Logger.getLogger("io.fairlead").removeHandler(watch);
        }
        assertThat(faults).as("seed %d", seed).isEmpty();
        assertThat(accepted).as("most got past Connect; seed %d", seed).isGreaterThan(CONNECTIONS / 2);
        System.out.println("EmbeddedTcpFuzz " + commands + " PDUs on " + CONNECTIONS + " connections");
    }

    /** An error in the log is a fault of ours that was caught at the last moment. */
    private Handler watch() {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
                    faults.add(entry.getMessage() + ": " + entry.getThrown());
                }
            }

            @Override
            public void flush() {
                // Nothing is held back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    private InetSocketAddress serve(EmbeddedEngine engine) throws Exception {
        Path disk = Files.write(directory.resolve("disk"), new byte[(int) SIZE_BYTES]);
        NamespaceSpec namespace = specs.namespace(1, disk, SIZE_BYTES);
        ListenerSpec listener = specs.listener(new ListenerId(specs.uuid()), "127.0.0.1", 0);
        SubsystemSpec subsystem = new SubsystemSpec(
                new SubsystemId(specs.uuid()),
                nqn,
                "FUZZ",
                "Fairlead",
                Access.ANY_HOST,
                Map.of(namespace.id(), namespace),
                Set.of(),
                Set.of());
        engine.apply(new Step.PutSubsystem(subsystem, specs.cntlids()));
        engine.apply(new Step.AddNamespace(subsystem.id(), nqn, namespace));
        engine.apply(new Step.AddListener(listener));
        engine.apply(new Step.Link(subsystem.id(), nqn, listener.id()));
        return engine.address(listener.id()).orElseThrow();
    }

    private void shouldServe(InetSocketAddress address) throws Exception {
        try (HostConnection connection = HostConnection.connect(host, address, nqn, HostOptions.DEFAULT)) {
            NamespaceData namespace = connection.identifyNamespaces().getFirst();
            byte[] content = new byte[16_384];
            random.nextBytes(content);
            connection.write(namespace, 0, MemorySegment.ofArray(content));
            MemorySegment read = Arena.ofAuto().allocate(content.length);
            connection.read(namespace, 0, read);
            assertThat(read.mismatch(MemorySegment.ofArray(content)))
                    .as("seed %d", seed)
                    .isEqualTo(-1);
        }
    }

    private void attack(InetSocketAddress address) throws PduFault {
        Digests digests = Digests.of(random.nextInt(4));
        try (RawHost admin = RawHost.open(address, digests)) {
            admin.command(RawHost.connect(0, 31, 0xFFFF), RawHost.connectData(0xFFFF, nqn, host.nqn()));
            RawHost.Received connected = admin.receive();
            accepted += connected.status() == 0 ? 1 : 0;
            int controller = connected.header().getShort(8) & 0xFFFF;
            if (random.nextInt(3) == 0) {
                admin.command(RawHost.propertySet(0x14, 0x0046_0001));
                admin.receive();
                try (RawHost io = RawHost.open(address, digests)) {
                    io.command(RawHost.connect(1, 31, controller), RawHost.connectData(controller, nqn, host.nqn()));
                    io.receive();
                    send(io, IO_OPCODES);
                }
            }
            send(admin, ADMIN_OPCODES);
            if (random.nextBoolean()) {
                admin.receive();
            }
            if (random.nextBoolean()) {
                admin.reset();
            }
        } catch (IOException closed) {
            // The engine may close at any moment, as it should on damage.
            assertThat(closed).isNotNull();
        }
    }

    private void send(RawHost host, int[] opcodes) throws IOException {
        int end = 0;
        int count = 1 + random.nextInt(24);
        for (int i = 0; i < count && end < 400_000; i++) {
            end = putRandom(host, end, opcodes);
            commands++;
        }
        int damage = random.nextInt(8) - 5;
        for (int i = 0; i < damage; i++) {
            host.out.bytes().put(random.nextInt(end), (byte) random.nextInt());
        }
        host.send(end);
    }

    private int putRandom(RawHost host, int at, int[] opcodes) {
        if (random.nextInt(12) == 0) {
            int length = 512 * (1 + random.nextInt(16));
            return host.putData(
                    at,
                    random.nextInt(64),
                    random.nextInt(64),
                    0,
                    new byte[length],
                    0,
                    length,
                    random.nextBoolean() ? PduWriter.Position.LAST : PduWriter.Position.MORE_FOLLOW);
        }
        WireBuffer sqe = WireBuffer.allocate(64);
        for (int offset = 0; offset < 64; offset++) {
            sqe.bytes().put(offset, (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0));
        }
        int opcode = random.nextInt(8) == 0 ? random.nextInt(256) : opcodes[random.nextInt(opcodes.length)];
        sqe.bytes().put(0, (byte) opcode).put(1, (byte) 0x40).putShort(2, (short) random.nextInt(64));
        if (opcode == 0x7F) {
            sqe.bytes().put(4, (byte) FABRICS_TYPES[random.nextInt(FABRICS_TYPES.length)]);
        } else {
            sqe.bytes().putInt(4, random.nextInt(3));
        }
        byte[] data = new byte[random.nextInt(3) == 0 ? 512 * (1 + random.nextInt(8)) : 0];
        random.nextBytes(data);
        if (random.nextInt(4) != 0) {
            describe(sqe, data.length);
        }
        if (random.nextInt(3) != 0) {
            sqe.bytes().putLong(40, random.nextInt(2048)).putInt(48, random.nextInt(300));
        }
        return host.putCommand(at, sqe, data);
    }

    /** A descriptor that fits what is sent, or asks for a transfer. */
    private void describe(WireBuffer sqe, int inCapsule) {
        sqe.bytes().putLong(24, 0);
        sqe.bytes().putInt(32, inCapsule > 0 ? inCapsule : 512 * random.nextInt(300));
        sqe.bytes().putInt(36, 0).put(39, (byte) (inCapsule > 0 ? 0x01 : 0x5A));
    }
}
