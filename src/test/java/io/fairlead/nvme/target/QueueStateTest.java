package io.fairlead.nvme.target;

import static io.fairlead.nvme.target.LoopbackHost.ANY_CONTROLLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every kind of command in every state of a queue: the status that it gets, in hexadecimal with the type in front; {@code -} is a
 * command that is held.
 */
class QueueStateTest {

    /** Where a queue can stand when a command comes. */
    enum State {
        CONNECTING,
        AUTHENTICATING_ADMIN,
        LIVE_ADMIN,
        AUTHENTICATING_IO,
        LIVE_IO
    }

    private TargetFixture fixture;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // command        | CONNECTING | AUTHENTICATING_ADMIN | LIVE_ADMIN | AUTHENTICATING_IO | LIVE_IO
                "connect          | 000        | 00c                  | 00c        | 00c               | 00c",
                "authSend         | 00c        | 000                  | 000        | 000               | 000",
                "authReceive      | 00c        | 00c                  | 000        | 00c               | 000",
                "propertyGet      | 00c        | 191                  | 000        | 191               | 002",
                "propertySet      | 00c        | 191                  | 000        | 191               | 002",
                "disconnect       | 00c        | 191                  | 002        | 191               | 000",
                "identify         | 00c        | 191                  | 000        | 191               | 001",
                "keepAlive        | 00c        | 191                  | 000        | 191               | 001",
                "eventRequest     | 00c        | 191                  | -          | 191               | 001",
                "read             | 00c        | 191                  | 000        | 191               | 000",
                "write            | 00c        | 191                  | 001        | 191               | 000",
                "flush            | 00c        | 191                  | 001        | 191               | 000",
                "unknown          | 00c        | 191                  | 001        | 191               | 001",
                "unknownFabrics   | 00c        | 191                  | 002        | 191               | 002"
            })
    void shouldAnswerEachCommandAsItsStateDemands(
            String command,
            String connecting,
            String authenticatingAdmin,
            String liveAdmin,
            String authenticatingIo,
            String liveIo) {
        String[] expected = {connecting, authenticatingAdmin, liveAdmin, authenticatingIo, liveIo};
        for (State state : State.values()) {
            fixture = new TargetFixture();
            Exchange exchange = send(in(state), command);
            assertThat(exchange.isDone() ? "%03x".formatted(exchange.status()) : "-")
                    .as(command + " in " + state)
                    .isEqualTo(expected[state.ordinal()]);
        }
    }

    private LoopbackHost in(State state) {
        return switch (state) {
            case CONNECTING -> keyed();
            case AUTHENTICATING_ADMIN -> connected();
            case LIVE_ADMIN -> live();
            case AUTHENTICATING_IO -> io();
            case LIVE_IO -> {
                LoopbackHost io = io();
                io.authenticate(HostPolicy.offeringAll(fixture.hostKey, Optional.empty()));
                yield io;
            }
        };
    }

    private LoopbackHost keyed() {
        return fixture.host(TargetFixture.KEYED_HOST, fixture.listener);
    }

    private LoopbackHost connected() {
        LoopbackHost host = keyed();
        assertThat(host.connect(0, 31, ANY_CONTROLLER, 0).status()).isZero();
        return host;
    }

    private LoopbackHost live() {
        LoopbackHost host = connected();
        host.authenticate(HostPolicy.offeringAll(fixture.hostKey, Optional.empty()));
        host.enable();
        return host;
    }

    private LoopbackHost io() {
        LoopbackHost admin = keyed();
        int cntlid = (int) (admin.connect(0, 31, ANY_CONTROLLER, 0).result() & 0xFFFF);
        admin.authenticate(HostPolicy.offeringAll(fixture.hostKey, Optional.empty()));
        admin.enable();
        LoopbackHost io = keyed();
        assertThat(io.connect(1, 31, cntlid, 0).status()).isZero();
        return io;
    }

    private static Exchange send(LoopbackHost host, String command) {
        return switch (command) {
            case "connect" -> host.connect(0, 31, ANY_CONTROLLER, 0);
            case "authSend" -> host.send(HostEntries.authenticationSend(72), new byte[72], Delivery.IN_CAPSULE);
            case "authReceive" -> host.send(HostEntries.authenticationReceive(4096));
            case "propertyGet" -> host.send(HostEntries.propertyGet(HostEntries.CSTS, 4));
            case "propertySet" -> host.send(HostEntries.propertySet(HostEntries.CC, LoopbackHost.CC_ENABLED));
            case "disconnect" -> host.send(HostEntries.disconnect());
            case "identify" -> host.send(HostEntries.identify(1, 0));
            case "keepAlive" -> host.send(HostEntries.keepAlive());
            case "eventRequest" -> host.send(HostEntries.eventRequest(0x1F));
            // On an admin queue the same opcode is Get Log Page.
            case "read" -> host.send(HostEntries.read(1, 0, 1, 4096));
            case "write" ->
                host.send(
                        HostEntries.inCapsule(HostEntries.write(1, 0, 1, 4096), 4096),
                        new byte[4096],
                        Delivery.IN_CAPSULE);
            case "flush" -> host.send(HostEntries.flush(1));
            case "unknown" -> host.send(HostEntries.entry(0x7D, 1));
            case "unknownFabrics" -> {
                MemorySegment sqe = HostEntries.disconnect();
                sqe.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 4, (byte) 0x44);
                yield host.send(sqe);
            }
            default -> throw new IllegalArgumentException(command);
        };
    }
}
