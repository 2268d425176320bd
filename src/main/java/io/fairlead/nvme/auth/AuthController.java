package io.fairlead.nvme.auth;

import io.fairlead.nvme.auth.ControllerState.Authenticated;
import io.fairlead.nvme.auth.ControllerState.AwaitingNegotiate;
import io.fairlead.nvme.auth.ControllerState.AwaitingReply;
import io.fairlead.nvme.auth.ControllerState.AwaitingSuccess2;
import io.fairlead.nvme.auth.ControllerState.ChallengeDue;
import io.fairlead.nvme.auth.ControllerState.Failure1Due;
import io.fairlead.nvme.auth.ControllerState.Refused;
import io.fairlead.nvme.auth.ControllerState.Success1Due;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/**
 * The controller's side of one DH-HMAC-CHAP exchange on one queue (NVM Express Base 2.0, section 8.13).
 *
 * <p>Authentication Send goes to {@link #onSend}, Authentication Receive to {@link #onReceive}; both commands complete with success
 * whatever the content, and {@link #progress()} says what became of it. A refusal is known before Failure1 is delivered. One object
 * serves one exchange; re-authentication takes a new one. The arithmetic of a large group takes milliseconds: a poll group hands
 * {@code onSend} and {@code onReceive} to another thread. Not thread-safe: one call at a time.
 */
public final class AuthController {

    private final String hostNqn;
    private final String subsystemNqn;
    private final ControllerPolicy policy;
    private final RandomGenerator random;
    private ControllerState state = new AwaitingNegotiate();

    /** How a host left an exchange without finishing it. */
    public enum Departure {
        DISCONNECTED("The host closed the connection"),
        OTHER_COMMAND("The host sent another command"),
        TIMED_OUT("The host let the time limit pass");

        private final String beginning;

        Departure(String beginning) {
            this.beginning = beginning;
        }
    }

    /**
     * @param random a cryptographic generator, except in tests
     */
    public AuthController(String hostNqn, String subsystemNqn, ControllerPolicy policy, RandomGenerator random) {
        this.hostNqn = hostNqn;
        this.subsystemNqn = subsystemNqn;
        this.policy = policy;
        this.random = random;
    }

    /** Takes the payload of an Authentication Send; the segment has exactly the transfer length. */
    public void onSend(MemorySegment payload) {
        try {
            AuthMessage message = AuthMessage.read(payload, AuthMessage.Sender.HOST);
            state = switch (message) {
                case Negotiate negotiate -> onNegotiate(negotiate);
                case Reply reply -> onReply(reply);
                case Success2 success -> onSuccess2(success);
                case Failure2 failure -> onFailure2(failure);
                case Challenge _, Success1 _, Failure1 _ -> throw unexpected();
            };
        } catch (AuthFault fault) {
            state = toFailure(fault.refusal());
        }
    }

    private ControllerState onNegotiate(Negotiate negotiate) throws AuthFault {
        if (state instanceof AwaitingNegotiate awaiting) {
            try {
                return awaiting.onNegotiate(negotiate, policy);
            } catch (AuthFault fault) {
                // Unlike other faults it knows the transaction, which is not in the state yet.
                return new Failure1Due(negotiate.transactionId(), fault.refusal());
            }
        }
        throw unexpected();
    }

    private ControllerState onReply(Reply reply) throws AuthFault {
        if (state instanceof AwaitingReply awaiting) {
            requireTransaction(reply);
            return awaiting.onReply(reply, hostNqn, subsystemNqn, policy);
        }
        throw unexpected();
    }

    private ControllerState onSuccess2(Success2 success) throws AuthFault {
        if (state instanceof AwaitingSuccess2 awaiting) {
            requireTransaction(success);
            return awaiting.onSuccess2();
        }
        throw unexpected();
    }

    private ControllerState onFailure2(Failure2 failure) throws AuthFault {
        return switch (state) {
            case AwaitingReply _, Success1Due _ -> refusedByHost(failure, AuthCheck.PROTOCOL_ERROR);
            case AwaitingSuccess2 _ -> refusedByHost(failure, AuthCheck.CONTROLLER_PROOF_REFUSED);
            case AwaitingNegotiate _, ChallengeDue _, Authenticated _, Failure1Due _, Refused _ -> throw unexpected();
        };
    }

    private Refused refusedByHost(Failure2 failure, AuthCheck otherwise) throws AuthFault {
        requireTransaction(failure);
        AuthExplanation explanation =
                AuthExplanation.ofCode(failure.explanation()).orElse(AuthExplanation.FAILED);
        AuthCheck check = switch (explanation) {
            case HASH_NOT_USABLE -> AuthCheck.HASH_NOT_OFFERED;
            case DH_GROUP_NOT_USABLE -> AuthCheck.DH_GROUP_NOT_OFFERED;
            case INCORRECT_PAYLOAD, INCORRECT_MESSAGE, PROTOCOL_NOT_USABLE, CONCATENATION_MISMATCH ->
                AuthCheck.PROTOCOL_ERROR;
            case FAILED -> otherwise;
        };
        return new Refused(
                state.transactionId(),
                new AuthRefusal(
                        check,
                        explanation,
                        check == AuthCheck.CONTROLLER_PROOF_REFUSED
                                ? "The host refused the controller's proof: it has another controller key."
                                : "The host ended the authentication: " + explanation.sentence() + "."));
    }

    private void requireTransaction(AuthMessage message) throws AuthFault {
        if (message.transactionId() != state.transactionId()) {
            throw Payload.malformed("A message of the authentication has another transaction identifier.");
        }
    }

    private AuthFault unexpected() {
        return new AuthFault(AuthRefusal.unexpected("A message of the authentication came at the wrong time."));
    }

    private ControllerState toFailure(AuthRefusal refusal) {
        return switch (state) {
            // The first refusal stands.
            case Failure1Due due -> due;
            case Refused refused -> refused;
            case AwaitingNegotiate running -> new Failure1Due(running.transactionId(), refusal);
            case ChallengeDue running -> new Failure1Due(running.transactionId(), refusal);
            case AwaitingReply running -> new Failure1Due(running.transactionId(), refusal);
            case Success1Due running -> new Failure1Due(running.transactionId(), refusal);
            case AwaitingSuccess2 running -> new Failure1Due(running.transactionId(), refusal);
            case Authenticated over -> new Failure1Due(over.transactionId(), refusal);
        };
    }

    /**
     * Answers an Authentication Receive.
     *
     * @param destination as long as the host's allocation
     * @return the bytes written; 0 if not even a failure message fits, which the command has to answer with Invalid Field
     */
    public int onReceive(MemorySegment destination) {
        return switch (state) {
            case ChallengeDue due -> {
                if (destination.byteSize() < due.challengeBytes()) {
                    yield deliverFailure(destination, tooSmall(due.challengeBytes()));
                }
                AwaitingReply awaiting = due.toAwaitingReply(random);
                state = awaiting;
                yield write(awaiting.challenge(), destination);
            }
            case Success1Due due -> {
                if (destination.byteSize() < due.message().bytes()) {
                    yield deliverFailure(destination, tooSmall(due.message().bytes()));
                }
                state = due.toDelivered();
                yield write(due.message(), destination);
            }
            case Failure1Due due -> deliverFailure(destination, due.refusal());
            case Refused refused -> deliverFailure(destination, refused.refusal());
            case AwaitingNegotiate _, AwaitingReply _, AwaitingSuccess2 _, Authenticated _ ->
                deliverFailure(destination, nothingToReceive());
        };
    }

    private int deliverFailure(MemorySegment destination, AuthRefusal refusal) {
        state = toFailure(refusal);
        if (destination.byteSize() < Failure1.FIXED_BYTES) {
            return 0;
        }
        return switch (state) {
            case Failure1Due due -> {
                state = due.toDelivered();
                yield write(due.message(), destination);
            }
            case Refused refused -> write(refused.message(), destination);
            case AwaitingNegotiate _,
                    ChallengeDue _,
                    AwaitingReply _,
                    Success1Due _,
                    AwaitingSuccess2 _,
                    Authenticated _ -> throw new IllegalStateException();
        };
    }

    private static int write(AuthMessage message, MemorySegment destination) {
        message.write(destination);
        return message.bytes();
    }

    private static AuthRefusal tooSmall(int bytes) {
        return AuthRefusal.malformed(
                "The host allocates less for Authentication Receive than the %d bytes that are due.".formatted(bytes));
    }

    private static AuthRefusal nothingToReceive() {
        return AuthRefusal.unexpected("The host asks for a message of the authentication when none is due.");
    }

    /** The host left, or does something else: an exchange that was not over is refused. */
    public void onDeparture(Departure departure) {
        state = switch (state) {
            case AwaitingNegotiate _, ChallengeDue _, AwaitingReply _ -> notPresented(departure);
            case Success1Due _, AwaitingSuccess2 _ -> unfinished(departure);
            case Failure1Due due -> due.toDelivered();
            case Authenticated over -> over;
            case Refused over -> over;
        };
    }

    private Refused notPresented(Departure departure) {
        return new Refused(
                state.transactionId(),
                new AuthRefusal(
                        AuthCheck.KEY_NOT_PRESENTED,
                        AuthExplanation.FAILED,
                        departure.beginning + " instead of proving that it has its key."));
    }

    private Refused unfinished(Departure departure) {
        return new Refused(
                state.transactionId(),
                AuthRefusal.unexpected(departure.beginning + " before it had acknowledged the authentication."));
    }

    /** What became of the exchange so far. */
    public AuthProgress progress() {
        return switch (state) {
            case Authenticated over -> new AuthProgress.Succeeded(over.hash(), over.group(), over.direction());
            case Failure1Due due -> new AuthProgress.Refused(due.refusal());
            case Refused refused -> new AuthProgress.Refused(refused.refusal());
            case AwaitingNegotiate _, ChallengeDue _, AwaitingReply _, Success1Due _, AwaitingSuccess2 _ ->
                new AuthProgress.Pending();
        };
    }

    /** Whether nothing more is to be said: the transport may close after a refusal once this holds. */
    public boolean isOver() {
        return state instanceof Authenticated || state instanceof Refused;
    }

    ControllerState state() {
        return state;
    }
}
