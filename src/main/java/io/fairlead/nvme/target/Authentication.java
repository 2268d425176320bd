package io.fairlead.nvme.target;

import io.fairlead.nvme.auth.AuthController;
import io.fairlead.nvme.auth.AuthController.Departure;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.AuthRefusal;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.wire.AuthenticationCommand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * In-band authentication of one queue (NVM Express Base 2.0, section 8.13), at connect and again at any time later. Owned by the queue's
 * poll group; the arithmetic runs elsewhere on copies of the messages, one message at a time.
 */
final class Authentication {

    /** More than any message of DH-HMAC-CHAP has (1168 bytes with SHA-512 and ffdhe8192). */
    private static final int MESSAGE_BYTES_MAX = 4096;

    private static final long TIME_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final FabricQueue queue;
    private final Target target;
    private AuthController exchange;
    private boolean working;
    private boolean refusalTold;
    private long connectedNanos;

    Authentication(FabricQueue queue, Target target) {
        this.queue = queue;
        this.target = target;
    }

    void onConnected(long nowNanos) {
        connectedNanos = nowNanos;
    }

    void onSend(FabricCommand command) throws CommandFault {
        int bytes = checkedLength(command);
        if (!queue.hasHostData(command, bytes)) {
            return;
        }
        if (working) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        if (exchange == null || exchange.isOver()) {
            begin();
        }
        MemorySegment message =
                MemorySegment.ofArray(command.data().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
        AuthController current = exchange;
        calculate(command, () -> {
            current.onSend(message);
            queue.group().execute(() -> onSent(command));
        });
    }

    /** A failure of the arithmetic itself ends the connection, so that no host waits for an answer that never comes. */
    private void calculate(FabricCommand command, Runnable step) {
        working = true;
        target.arithmetic().execute(() -> {
            try {
                step.run();
            } catch (RuntimeException e) {
                queue.group().execute(() -> onBroken(command));
                throw e;
            }
        });
    }

    private void onBroken(FabricCommand command) {
        working = false;
        if (queue.state() != FabricQueue.State.CLOSED) {
            queue.fail(command, StatusCode.INTERNAL_ERROR, StatusCode.Retry.ALLOWED);
            queue.close();
        }
    }

    private void begin() throws CommandFault {
        ControllerPolicy policy = policy().orElseThrow(() -> CommandFault.of(StatusCode.INVALID_FIELD));
        exchange = new AuthController(
                queue.controller().hostNqn(),
                queue.controller().subsystem().model().nqn(),
                policy,
                target.random());
        refusalTold = false;
    }

    private Optional<ControllerPolicy> policy() {
        return target.host(queue.controller().hostNqn()).flatMap(HostCredential::policy);
    }

    private void onSent(FabricCommand command) {
        working = false;
        if (queue.state() == FabricQueue.State.CLOSED) {
            onDisconnect();
            return;
        }
        queue.complete(command, 0);
        settle();
    }

    void onReceive(FabricCommand command) throws CommandFault {
        int bytes = checkedLength(command);
        if (working || exchange == null) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        FabricQueue.requireTransportSgl(command.sqe());
        MemorySegment answer = MemorySegment.ofArray(new byte[bytes]);
        AuthController current = exchange;
        calculate(command, () -> {
            int written = current.onReceive(answer);
            queue.group().execute(() -> onReceived(command, answer, written));
        });
    }

    private void onReceived(FabricCommand command, MemorySegment answer, int written) {
        working = false;
        if (queue.state() == FabricQueue.State.CLOSED) {
            onDisconnect();
            return;
        }
        try {
            if (written == 0) {
                throw CommandFault.of(StatusCode.INVALID_FIELD);
            }
            MemorySegment reply = queue.replyBuffer(command, written);
            reply.copyFrom(answer.asSlice(0, written));
            queue.complete(command, 0);
        } catch (CommandFault fault) {
            queue.fail(command, fault.status(), fault.retry());
        }
        settle();
    }

    private int checkedLength(FabricCommand command) throws CommandFault {
        long bytes = AuthenticationCommand.length(command.sqe());
        if (!AuthenticationCommand.isNvmeProtocol(command.sqe()) || bytes < 1) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        return (int) Math.min(bytes, MESSAGE_BYTES_MAX);
    }

    /** Acts on where the exchange stands. */
    private void settle() {
        switch (exchange.progress()) {
            case AuthProgress.Pending() -> {
                // The next message is the host's.
            }
            case AuthProgress.Succeeded _ -> queue.toLive();
            case AuthProgress.Refused(AuthRefusal refusal) -> {
                tell(refusal);
                if (exchange.isOver()) {
                    queue.close();
                }
            }
        }
    }

    private void tell(AuthRefusal refusal) {
        if (!refusalTold) {
            refusalTold = true;
            queue.refuse(
                    Refusal.Check.of(refusal.check()),
                    queue.controller().hostNqn(),
                    queue.controller().subsystem().model().nqn(),
                    refusal.sentence());
        }
    }

    /** Something else came where only authentication may. */
    void onOtherCommand() {
        depart(Departure.OTHER_COMMAND);
        if (!working) {
            exchange = null;
        }
    }

    void onDisconnect() {
        depart(Departure.DISCONNECTED);
    }

    void onTick(long nowNanos) {
        if (!working && nowNanos - connectedNanos > TIME_NANOS_MAX) {
            depart(Departure.TIMED_OUT);
            queue.close();
        }
    }

    private void depart(Departure departure) {
        if (working) {
            // The exchange is in use; what it comes to is acted on when it is done.
            return;
        }
        if (exchange == null) {
            Optional<ControllerPolicy> policy = policy();
            if (policy.isEmpty()) {
                return;
            }
            exchange = new AuthController(
                    queue.controller().hostNqn(),
                    queue.controller().subsystem().model().nqn(),
                    policy.get(),
                    target.random());
        }
        exchange.onDeparture(departure);
        if (exchange.progress() instanceof AuthProgress.Refused(AuthRefusal refusal)) {
            tell(refusal);
        }
    }
}
