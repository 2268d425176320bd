package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Associations whose queues are on different poll groups, each with a thread of its own, come and go while the control thread changes
 * everything. Nothing is thrown, no command gets lost, no controller id is given out twice, and in the end nobody is left. The seed decides
 * who does what; the machine decides when.
 */
class TargetThreadsFuzz {

    private static final int HOSTS = 6;
    private static final int ASSOCIATIONS = 150;
    private static final int IO_QUEUES = 3;
    private static final int COMMANDS = 12;
    private static final int CNTLID_FIRST = 7;
    private static final int CNTLID_LAST = 12;

    private final UUID listener = new UUID(1, 1);
    private final ScriptedDevice device = new ScriptedDevice(4096, 64);
    private final ScriptedDevice other = new ScriptedDevice(4096, 64);
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final ConcurrentLinkedQueue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final List<ThreadedPollGroup> groups = IntStream.range(0, 3)
            .mapToObj(i -> new ThreadedPollGroup("poll-" + i))
            .toList();
    private final Target target = new Target(
            new TargetSettings("1.0", 8192, 5, 128, IO_QUEUES),
            Runnable::run,
            new Random(1),
            refusal -> refusals.incrementAndGet());

    @AfterEach
    void closeGroups() {
        groups.forEach(ThreadedPollGroup::close);
    }

    @Test
    void shouldLoseNothingBetweenItsThreads() throws Exception {
        long seed = Long.getLong("fairlead.seed", System.nanoTime());
        System.out.println("TargetThreadsFuzz seed " + seed);
        target.putSubsystem(
                TargetFixture.SUBSYSTEM,
                "FL0001",
                "Fairlead",
                SubsystemModel.Access.LISTED_HOSTS,
                CNTLID_FIRST,
                CNTLID_LAST);
        target.putHost(new HostCredential(TargetFixture.HOST, Optional.empty()));
        target.addNamespace(TargetFixture.SUBSYSTEM, TargetFixture.namespace(1, device));
        allowAndLink();
        CountDownLatch running = new CountDownLatch(HOSTS);
        try (var threads = Executors.newFixedThreadPool(HOSTS)) {
            List<Future<?>> hosts = new ArrayList<>();
            for (int host = 0; host < HOSTS; host++) {
                Random random = new Random(seed + host);
                hosts.add(threads.submit(() -> {
                    try {
                        for (int i = 0; i < ASSOCIATIONS; i++) {
                            associate(random);
                        }
                    } finally {
                        running.countDown();
                    }
                }));
            }
            operateUntil(running, new Random(seed - 1));
            for (Future<?> host : hosts) {
                host.get();
            }
        }
        groups.forEach(group -> group.call(() -> true));
        groups.forEach(group -> group.call(() -> true));

        groups.forEach(group -> assertThat(group.failure()).isNull());
        assertThat(target.controllers()).isEmpty();
        assertThat(exchanges).allMatch(exchange -> exchange.isDone() || exchange.isAbandoned());
        assertThat(served).as("commands that were served").hasValueGreaterThan(HOSTS * ASSOCIATIONS);
    }

    // The control thread

    private void operateUntil(CountDownLatch over, Random random) throws InterruptedException {
        while (!over.await(random.nextInt(3), TimeUnit.MILLISECONDS)) {
            operate(random);
            List<Integer> live =
                    target.controllers().stream().map(ControllerView::cntlid).toList();
            assertThat(live).doesNotHaveDuplicates();
        }
    }

    private void operate(Random random) {
        String nqn = TargetFixture.SUBSYSTEM;
        switch (random.nextInt(8)) {
            case 0 -> {
                target.unlink(nqn, listener);
                allowAndLink();
            }
            case 1 -> {
                target.disallowHost(nqn, TargetFixture.HOST);
                allowAndLink();
            }
            case 2 -> {
                target.removeNamespace(nqn, 2);
                target.addNamespace(nqn, TargetFixture.namespace(2, other));
            }
            case 3 -> target.namespaceResized(nqn, 1);
            case 4 -> target.anaState(nqn, listener, 1, AnaState.INACCESSIBLE);
            default -> target.anaState(nqn, listener, 1, AnaState.OPTIMIZED);
        }
    }

    private void allowAndLink() {
        target.link(TargetFixture.SUBSYSTEM, listener);
        target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST);
    }

    // A host's thread

    private record Connection(ThreadedPollGroup group, LoopbackTransport transport) {}

    private void associate(Random random) {
        List<Connection> connections = new ArrayList<>();
        Connection admin = open(random);
        connections.add(admin);
        Exchange connect = connect(admin, 0, LoopbackHost.ANY_CONTROLLER);
        if (isServed(connect)) {
            int cntlid = (int) (connect.result() & 0xFFFF);
            assertThat(cntlid).isBetween(CNTLID_FIRST, CNTLID_LAST);
            send(admin, HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED));
            send(admin, HostEntries.setFeatures(0x0B, 0x900));
            send(admin, HostEntries.eventRequest(1));
            for (int qid = 1; qid <= IO_QUEUES; qid++) {
                Connection io = open(random);
                connections.add(io);
                // The answer is not waited for: the log is read while the queue comes to be.
                io.group().execute(connecting(io, qid, cntlid));
                send(admin, HostEntries.getLogPage(0x02, 512, 0, false));
            }
            for (int i = 0; i < COMMANDS; i++) {
                Connection io = connections.get(1 + random.nextInt(IO_QUEUES));
                if (isServed(send(io, HostEntries.read(1 + random.nextInt(2), random.nextInt(60), 4, 4 * 4096)))) {
                    served.incrementAndGet();
                }
                send(admin, HostEntries.getLogPage(0x04, 4096, 0, false));
            }
        }
        if (random.nextBoolean()) {
            java.util.Collections.reverse(connections);
        }
        for (Connection connection : connections) {
            connection.group().call(() -> {
                connection.transport().hangUp();
                return true;
            });
        }
    }

    private Connection open(Random random) {
        ThreadedPollGroup group = groups.get(random.nextInt(groups.size()));
        return group.call(() -> {
            LoopbackTransport transport = new LoopbackTransport(group, 40, "192.0.2.9:1");
            transport.attach(target.newQueue(transport, group, listener));
            return new Connection(group, transport);
        });
    }

    private Exchange connect(Connection connection, int qid, int cntlid) {
        return connection.group().call(() -> submitConnect(connection, qid, cntlid));
    }

    private Runnable connecting(Connection connection, int qid, int cntlid) {
        return () -> submitConnect(connection, qid, cntlid);
    }

    private Exchange submitConnect(Connection connection, int qid, int cntlid) {
        byte[] data =
                HostEntries.connectData(TargetFixture.HOST_ID, cntlid, TargetFixture.SUBSYSTEM, TargetFixture.HOST);
        return submit(connection, HostEntries.connect(qid, 31, 0, 0), data);
    }

    private Exchange send(Connection connection, MemorySegment sqe) {
        return connection.group().call(() -> submit(connection, sqe, LoopbackHost.NO_DATA));
    }

    private Exchange submit(Connection connection, MemorySegment sqe, byte[] data) {
        if (connection.transport().isClosed()) {
            return null;
        }
        Exchange exchange = connection.transport().submit(sqe, data, Delivery.IN_CAPSULE);
        exchanges.add(exchange);
        return exchange;
    }

    private static boolean isServed(Exchange exchange) {
        return exchange != null && exchange.isDone() && exchange.status() == 0;
    }
}
