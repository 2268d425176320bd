package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.Nqn;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import io.fairlead.nvme.target.LoopbackTransport.Network;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Hosts that send anything, while the control thread changes everything. Whatever they do: nothing escapes from the target, each command
 * completes at most once (the transport checks it), and once devices and network have delivered, none is left but event requests and
 * those of connections that are gone.
 *
 * <p>The seed is printed; {@code -Dfairlead.seed=…} repeats a run.
 */
class TargetFuzz {

    private static final int WORLDS = 60;
    private static final int STEPS = 1_500;
    private static final int CONNECTIONS = 6;

    @Test
    void shouldSurviveHostsThatSendAnything() {
        long seed = Long.getLong("fairlead.seed", System.nanoTime());
        System.out.println("TargetFuzz seed " + seed);
        for (int world = 0; world < WORLDS; world++) {
            new World(new Random(seed + world)).run("seed " + seed + ", world " + world);
        }
    }

    private static final class World {

        private final Random random;
        private final TargetFixture fixture = new TargetFixture();
        private final List<LoopbackHost> hosts = new ArrayList<>();
        private final List<Exchange> exchanges = new ArrayList<>();
        private int step;

        World(Random random) {
            this.random = random;
            fixture.device.withVolatileWriteCache();
        }

        void run(String where) {
            try {
                for (step = 0; step < STEPS; step++) {
                    act();
                }
                settle();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(where + ", step " + step, e);
            }
            assertThat(exchanges).as(where).allMatch(Exchange::isDone);
        }

        private void act() {
            switch (random.nextInt(24)) {
                case 0 -> open();
                case 1 -> control();
                case 2 -> fixture.group.runTasks();
                case 3 -> {
                    fixture.group.advanceMillis(random.nextInt(400));
                    hosts.forEach(LoopbackHost::tick);
                }
                case 4 -> device();
                case 5 -> network();
                case 6 -> {
                    if (!hosts.isEmpty() && random.nextInt(10) == 0) {
                        any().transport().hangUp();
                    }
                }
                default -> command();
            }
            hosts.removeIf(host -> host.transport().isClosed());
            exchanges.removeIf(exchange -> exchange.isDone() || exchange.isAbandoned());
        }

        private LoopbackHost any() {
            return hosts.get(random.nextInt(hosts.size()));
        }

        private void open() {
            if (hosts.size() >= CONNECTIONS) {
                return;
            }
            String nqn = random.nextBoolean() ? TargetFixture.HOST : TargetFixture.KEYED_HOST;
            String subsystem = random.nextInt(8) == 0 ? Nqn.DISCOVERY : TargetFixture.SUBSYSTEM;
            LoopbackHost host = new LoopbackHost(
                    fixture.target, fixture.group, fixture.listener, nqn, TargetFixture.HOST_ID, subsystem);
            hosts.add(host);
            List<ControllerView> live = fixture.target.controllers();
            Exchange connect;
            if (!live.isEmpty() && random.nextInt(4) != 0) {
                ControllerView controller = live.get(random.nextInt(live.size()));
                if (controller.hostNqn().equals(nqn)) {
                    connect = host.connect(1 + random.nextInt(4), 1 + random.nextInt(127), controller.cntlid(), 0);
                } else {
                    connect = host.connect(0, 31, LoopbackHost.ANY_CONTROLLER, 0);
                }
            } else {
                connect = host.connect(0, 31, LoopbackHost.ANY_CONTROLLER, random.nextInt(3) * 10_000);
            }
            if (random.nextInt(8) != 0 && !host.transport().isClosed()) {
                if (connect.status() == 0) {
                    prove(host);
                } else {
                    host.transport().hangUp();
                }
            }
        }

        private void prove(LoopbackHost host) {
            Exchange receive = host.send(HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED));
            if (receive.isDone() && receive.status() == 0x191) {
                host.authenticate(HostPolicy.offeringAll(
                        random.nextInt(4) == 0 ? fixture.otherKey : fixture.hostKey, Optional.empty()));
                if (!host.transport().isClosed()) {
                    exchanges.add(host.send(HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED)));
                }
            }
        }

        private void command() {
            if (hosts.isEmpty()) {
                return;
            }
            LoopbackHost host = any();
            if (host.transport().inFlight().size() > 100) {
                return;
            }
            MemorySegment sqe = entry();
            for (int damaged = random.nextInt(4); damaged > 0 && random.nextInt(3) == 0; damaged--) {
                sqe.set(ValueLayout.JAVA_BYTE, random.nextInt(64), (byte) random.nextInt());
            }
            byte[] data = new byte[random.nextInt(3) == 0 ? random.nextInt(9000) : 4096];
            random.nextBytes(data);
            boolean isEventRequest = sqe.get(ValueLayout.JAVA_BYTE, 0) == 0x0C;
            Exchange exchange =
                    host.send(sqe, data, random.nextInt(8) == 0 ? Delivery.WHEN_FETCHED : Delivery.IN_CAPSULE);
            if (!isEventRequest) {
                exchanges.add(exchange);
            }
        }

        private MemorySegment entry() {
            int nsid = random.nextBoolean() ? 1 : random.nextInt(8);
            int blocks = 1 + random.nextInt(40);
            long lba = random.nextInt(TargetFixture.BLOCKS + 20);
            return switch (random.nextInt(2) == 0 ? random.nextInt(6) : random.nextInt(19)) {
                case 0 -> HostEntries.read(nsid, lba, blocks, blocks * 4096);
                case 1 -> HostEntries.write(nsid, lba, blocks, blocks * 4096);
                case 2 -> HostEntries.inCapsule(HostEntries.write(nsid, lba, 1, 4096), 4096);
                case 3 -> HostEntries.flush(nsid);
                case 4 -> HostEntries.writeZeroes(nsid, lba, blocks);
                case 5 -> HostEntries.deallocate(nsid, 1 + random.nextInt(256), 4096);
                case 6 -> HostEntries.identify(random.nextInt(0x20), nsid);
                case 7 ->
                    HostEntries.getLogPage(
                            random.nextInt(0x14), 4 * (1 + random.nextInt(2000)), 0, random.nextBoolean());
                case 8 ->
                    HostEntries.getLogPage(
                            random.nextBoolean() ? 0x70 : random.nextInt(256),
                            4 * (1 + random.nextInt(2000)),
                            random.nextBoolean() ? random.nextInt(8192) : random.nextLong(),
                            random.nextBoolean());
                case 9 -> HostEntries.setFeatures(random.nextInt(0x10), random.nextInt(0x1000));
                case 10 -> HostEntries.getFeatures(random.nextInt(0x84) | random.nextInt(8) << 8);
                case 11 -> HostEntries.eventRequest(random.nextInt(8));
                case 12 -> HostEntries.abort(random.nextInt(2), random.nextInt(8));
                case 13 -> HostEntries.keepAlive();
                case 14 -> HostEntries.propertyGet(random.nextInt(0x70), random.nextBoolean() ? 4 : 8);
                case 15 ->
                    random.nextInt(100) == 0
                            ? HostEntries.propertySet(HostEntries.CC, random.nextInt())
                            : HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED);
                case 16 -> HostEntries.authenticationSend(4096);
                case 17 -> HostEntries.authenticationReceive(random.nextInt(5000));
                default -> {
                    byte[] noise = new byte[64];
                    random.nextBytes(noise);
                    yield MemorySegment.ofArray(noise);
                }
            };
        }

        private void control() {
            String nqn = TargetFixture.SUBSYSTEM;
            switch (random.nextInt(40)) {
                case 0 -> fixture.target.disallowHost(nqn, TargetFixture.HOST);
                case 1 -> fixture.target.unlink(nqn, fixture.listener);
                case 2, 3, 4 -> {
                    fixture.target.allowHost(nqn, TargetFixture.HOST);
                    fixture.target.link(nqn, fixture.listener);
                }
                case 5, 6, 7 -> fixture.target.removeNamespace(nqn, 5);
                case 8, 9, 10 -> {
                    if (fixture.target.subsystem(nqn).orElseThrow().namespaces().get(5) == null) {
                        fixture.target.addNamespace(nqn, TargetFixture.namespace(5, fixture.smallBlocks));
                    }
                }
                case 11, 12, 13 -> fixture.target.namespaceResized(nqn, 1);
                default ->
                    fixture.target.anaState(
                            nqn,
                            fixture.listener,
                            1,
                            random.nextInt(4) == 0
                                    ? AnaState.values()[random.nextInt(AnaState.values().length)]
                                    : AnaState.OPTIMIZED);
            }
        }

        private void device() {
            switch (random.nextInt(4)) {
                case 0 ->
                    fixture.device.pace(
                            ScriptedDevice.Pace.values()[random.nextInt(ScriptedDevice.Pace.values().length)]);
                case 1 -> fixture.device.outcome(DeviceStatus.values()[random.nextInt(DeviceStatus.values().length)]);
                case 2 -> fixture.device.outcome(DeviceStatus.OK);
                default -> fixture.device.finishAll();
            }
        }

        private void network() {
            if (hosts.isEmpty()) {
                return;
            }
            LoopbackTransport transport = any().transport();
            switch (random.nextInt(5)) {
                case 0 -> transport.network(Network.HELD);
                case 1 -> transport.network(Network.IMMEDIATE);
                case 2 -> transport.buffersLeft(random.nextBoolean() ? random.nextInt(3) : Integer.MAX_VALUE);
                default -> {
                    if (transport.fetchesHeld() > 0) {
                        if (random.nextInt(4) == 0) {
                            transport.loseFetched(
                                    TargetQueue.DataLoss.values()[
                                            random.nextInt(TargetQueue.DataLoss.values().length)]);
                        } else {
                            transport.deliverFetched();
                        }
                    }
                }
            }
        }

        /** Everything that is on its way arrives. */
        private void settle() {
            fixture.device.outcome(DeviceStatus.OK);
            fixture.device.pace(ScriptedDevice.Pace.DURING_THE_CALL);
            fixture.group.runTasks();
            for (LoopbackHost host : hosts) {
                while (host.transport().fetchesHeld() > 0) {
                    host.transport().deliverFetched();
                }
            }
            fixture.device.finishAll();
            fixture.group.runTasks();
            exchanges.removeIf(Exchange::isAbandoned);
        }
    }
}
