package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two poll groups with threads of their own, and a control thread that takes rights away at the worst moments. */
class ConcurrentTargetTest {

    private static final int ROUNDS = 400;

    private final TargetFixture fixture = new TargetFixture();
    private final ConcurrentLinkedQueue<Throwable> escaped = new ConcurrentLinkedQueue<>();
    private final Group adminGroup = new Group();
    private final Group ioGroup = new Group();

    private final class Group implements PollGroup {

        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Map<BlockDevice, DeviceQueue> queues = new HashMap<>();

        @Override
        public long nowNanos() {
            return 0;
        }

        @Override
        public void execute(Runnable task) {
            thread.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | AssertionError e) {
                    escaped.add(e);
                }
            });
        }

        @Override
        public DeviceQueue deviceQueue(BlockDevice device) {
            return queues.computeIfAbsent(
                    device,
                    opened -> opened.openQueue(
                            (command, status) -> command.queue().onDeviceDone(command, status)));
        }

        void drain() {
            CompletableFuture.runAsync(() -> {}, thread).join();
        }
    }

    @AfterEach
    void stop() {
        adminGroup.thread.close();
        ioGroup.thread.close();
    }

    private LoopbackTransport connection(Group group, List<LoopbackTransport> all) {
        LoopbackTransport transport = new LoopbackTransport(group, 40, "192.0.2.1:1");
        transport.attach(fixture.target.newQueue(transport, group, fixture.listener));
        all.add(transport);
        return transport;
    }

    private static Exchange connect(LoopbackTransport transport, int qid, int cntlid) {
        return transport.submit(
                HostEntries.connect(qid, 31, 0, 0),
                HostEntries.connectData(TargetFixture.HOST_ID, cntlid, TargetFixture.SUBSYSTEM, TargetFixture.HOST),
                Delivery.IN_CAPSULE);
    }

    /** On the admin group's thread. */
    private int admin(List<LoopbackTransport> all) {
        LoopbackTransport transport = connection(adminGroup, all);
        Exchange connect = connect(transport, 0, LoopbackHost.ANY_CONTROLLER);
        if (connect.status() != 0) {
            return 0;
        }
        transport.submit(
                HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED), new byte[0], Delivery.IN_CAPSULE);
        return (int) connect.result();
    }

    /** On the I/O group's thread. */
    private void io(int cntlid, List<LoopbackTransport> all) {
        if (cntlid == 0) {
            return;
        }
        LoopbackTransport transport = connection(ioGroup, all);
        if (connect(transport, 1, cntlid).status() == 0) {
            for (int i = 0; i < 20; i++) {
                transport.submit(HostEntries.read(1, i, 1, 4096), new byte[0], Delivery.IN_CAPSULE);
            }
        }
    }

    @Test
    void shouldLeaveNoAssociationOfAHostWhoseRightWasTakenAwayWhileItConnected() {
        long seed = Long.getLong("fairlead.seed", System.nanoTime());
        System.out.println("ConcurrentTargetTest seed " + seed);
        Random random = new Random(seed);
        int connected = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<LoopbackTransport> all = java.util.Collections.synchronizedList(new ArrayList<>());
            fixture.target.allowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST);
            fixture.target.link(TargetFixture.SUBSYSTEM, fixture.listener);
            CompletableFuture<Integer> admin = CompletableFuture.supplyAsync(() -> admin(all), adminGroup.thread);
            CompletableFuture<Void> io = admin.thenAcceptAsync(cntlid -> io(cntlid, all), ioGroup.thread);
            for (int spin = random.nextInt(20_000); spin > 0; spin--) {
                Thread.onSpinWait();
            }

            if (random.nextBoolean()) {
                fixture.target.disallowHost(TargetFixture.SUBSYSTEM, TargetFixture.HOST);
            } else {
                fixture.target.unlink(TargetFixture.SUBSYSTEM, fixture.listener);
            }
            io.join();
            connected += admin.join() == 0 ? 0 : 1;
            for (int turn = 0; turn < 3; turn++) {
                adminGroup.drain();
                ioGroup.drain();
            }

            assertThat(fixture.target.controllers()).as("round " + round).isEmpty();
            for (LoopbackTransport transport : all) {
                assertThat(transport.isClosed() || !isAssociated(transport)).isTrue();
            }
            assertThat(escaped).isEmpty();
        }
        System.out.println("connected in " + connected + " of " + ROUNDS + " rounds");
    }

    /** A queue that was refused stays open, and takes nothing but Connect. */
    private boolean isAssociated(LoopbackTransport transport) {
        Group group = transport.group() == adminGroup ? adminGroup : ioGroup;
        return CompletableFuture.supplyAsync(
                        () -> transport
                                        .submit(HostEntries.keepAlive(), new byte[0], Delivery.IN_CAPSULE)
                                        .status()
                                != 0x00C,
                        group.thread)
                .join();
    }
}
