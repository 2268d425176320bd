package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.auth.AuthHost;
import io.fairlead.nvme.auth.AuthMessage;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.UUID;

/** A host with one connection to a target, for tests: it sends what it is told to, in the order of a Linux host where it has a choice. */
final class LoopbackHost {

    static final byte[] NO_DATA = {};
    static final int CC_ENABLED = 0x0046_0001;
    static final int ANY_CONTROLLER = 0xFFFF;

    private final ManualPollGroup group;
    private final LoopbackTransport transport;
    private final TargetQueue queue;
    private final String nqn;
    private final UUID hostIdentifier;
    private final String subsystemNqn;
    private int nextCid = 1;
    private int nextTransaction;

    LoopbackHost(
            Target target, ManualPollGroup group, UUID listener, String nqn, UUID hostIdentifier, String subsystemNqn) {
        this.group = group;
        this.nqn = nqn;
        this.hostIdentifier = hostIdentifier;
        this.subsystemNqn = subsystemNqn;
        this.transport = new LoopbackTransport(group, 160, "192.0.2.1:40312");
        this.queue = target.newQueue(transport, group, listener);
        transport.attach(queue);
    }

    /** What a transport does about ten times a second. */
    void tick() {
        if (!transport.isClosed()) {
            queue.onTick(group.nowNanos());
        }
    }

    LoopbackTransport transport() {
        return transport;
    }

    /** Sends a command without data from the host, and lets the poll group do what follows from it. */
    Exchange send(MemorySegment sqe) {
        return send(sqe, NO_DATA, Delivery.IN_CAPSULE);
    }

    Exchange send(MemorySegment sqe, byte[] data, Delivery delivery) {
        Exchange exchange = transport.submit(sqe, data, delivery);
        group.runTasks();
        return exchange;
    }

    /** A command identifier that no other command in flight has. */
    Exchange sendNumbered(MemorySegment sqe) {
        return send(HostEntries.withCid(sqe, nextCid++));
    }

    Exchange connect(int qid, int sqSize, int cntlid, int keepAliveMillis) {
        return send(
                HostEntries.connect(qid, sqSize, 0, keepAliveMillis),
                HostEntries.connectData(hostIdentifier, cntlid, subsystemNqn, nqn),
                Delivery.IN_CAPSULE);
    }

    /** Connects the admin queue without keep-alive, as Linux does otherwise; returns the controller id. */
    int connectAdmin() {
        Exchange connect = connect(0, 31, ANY_CONTROLLER, 0);
        assertThat(connect.status()).isZero();
        return (int) (connect.result() & 0xFFFF);
    }

    void connectIo(int qid, int cntlid) {
        assertThat(connect(qid, 127, cntlid, 0).status()).isZero();
    }

    void enable() {
        assertThat(send(HostEntries.propertySet(HostEntries.CC, CC_ENABLED)).status())
                .isZero();
    }

    /** Runs the whole of DH-HMAC-CHAP, as far as the target lets it. */
    AuthProgress authenticate(HostPolicy policy) {
        AuthHost exchange = new AuthHost(nqn, subsystemNqn, policy, nextTransaction++, new Random(7));
        while (!transport.isClosed() && exchange.action() != AuthHost.Action.NOTHING) {
            authenticateOnce(exchange);
        }
        return exchange.progress();
    }

    void authenticateOnce(AuthHost exchange) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[AuthMessage.BYTES_MAX]);
        if (exchange.action() == AuthHost.Action.SEND) {
            byte[] message = buffer.asSlice(0, exchange.writeNext(buffer)).toArray(ValueLayout.JAVA_BYTE);
            Exchange sent = send(HostEntries.authenticationSend(message.length), message, Delivery.IN_CAPSULE);
            assertThat(sent.status()).isZero();
        } else {
            Exchange received = send(HostEntries.authenticationReceive(4096));
            assertThat(received.status()).isZero();
            exchange.onReceived(received.receivedSegment());
        }
    }

    AuthHost newExchange(HostPolicy policy) {
        return new AuthHost(nqn, subsystemNqn, policy, nextTransaction++, new Random(7));
    }
}
