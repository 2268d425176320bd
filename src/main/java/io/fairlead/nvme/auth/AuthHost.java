package io.fairlead.nvme.auth;

import io.fairlead.nvme.auth.AuthProgress.Direction;
import io.fairlead.nvme.auth.HostState.Authenticated;
import io.fairlead.nvme.auth.HostState.AwaitingChallenge;
import io.fairlead.nvme.auth.HostState.AwaitingSuccess1;
import io.fairlead.nvme.auth.HostState.Failure2Due;
import io.fairlead.nvme.auth.HostState.NegotiateDue;
import io.fairlead.nvme.auth.HostState.Refused;
import io.fairlead.nvme.auth.HostState.ReplyDue;
import io.fairlead.nvme.auth.HostState.Success2Due;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The host's side of one DH-HMAC-CHAP exchange on one queue (NVM Express Base 2.0, section 8.13).
 *
 * <p>Ask {@link #action()} what to do: send what {@link #writeNext} gives with Authentication Send, or hand what Authentication Receive
 * brought to {@link #onReceived}; until there is nothing left to do. Then {@link #progress()} says how it ended. Not thread-safe.
 */
public final class AuthHost {

    private final String hostNqn;
    private final String subsystemNqn;
    private final HostPolicy policy;
    private final int transactionId;
    private final RandomGenerator random;
    private HostState state = new NegotiateDue();

    /** What the host has to do next. */
    public enum Action {
        SEND,
        RECEIVE,
        NOTHING
    }

    /**
     * @param transactionId T_ID, 0 to 65535; another one for each exchange of an association
     * @param random a cryptographic generator, except in tests
     */
    public AuthHost(String hostNqn, String subsystemNqn, HostPolicy policy, int transactionId, RandomGenerator random) {
        this.hostNqn = hostNqn;
        this.subsystemNqn = subsystemNqn;
        this.policy = policy;
        this.transactionId = transactionId & 0xFFFF;
        this.random = random;
    }

    public Action action() {
        return switch (state) {
            case NegotiateDue _, ReplyDue _, Success2Due _, Failure2Due _ -> Action.SEND;
            case AwaitingChallenge _, AwaitingSuccess1 _ -> Action.RECEIVE;
            case Authenticated _, Refused _ -> Action.NOTHING;
        };
    }

    /**
     * Writes the message that is due; only when {@link #action()} is {@link Action#SEND}.
     *
     * @param destination {@link AuthMessage#BYTES_MAX} bytes or more
     * @return the length of the message
     */
    public int writeNext(MemorySegment destination) {
        AuthMessage message = switch (state) {
            case NegotiateDue due -> {
                state = new AwaitingChallenge();
                yield new Negotiate(transactionId, 0, policy.hashes(), policy.groups());
            }
            case ReplyDue due -> {
                state = due.toSent();
                yield due.reply();
            }
            case Success2Due due -> {
                state = due.toSent();
                yield new Success2(transactionId);
            }
            case Failure2Due due -> {
                state = due.toSent();
                yield Failure2.of(transactionId, due.refusal().explanation());
            }
            case AwaitingChallenge _, AwaitingSuccess1 _, Authenticated _, Refused _ -> throw nothingToSend();
        };
        message.write(destination);
        return message.bytes();
    }

    private static IllegalStateException nothingToSend() {
        return new IllegalStateException("no message of the authentication is due from the host");
    }

    /** Takes what Authentication Receive brought; only when {@link #action()} is {@link Action#RECEIVE}. */
    public void onReceived(MemorySegment payload) {
        if (action() != Action.RECEIVE) {
            throw new IllegalStateException("no message of the authentication is due from the controller");
        }
        try {
            AuthMessage message = AuthMessage.read(payload, AuthMessage.Sender.CONTROLLER);
            if (message instanceof Failure1 failure) {
                state = new Refused(refusalOf(failure));
                return;
            }
            if (message.transactionId() != transactionId) {
                throw Payload.malformed("The controller answers with another transaction identifier.");
            }
            if (state instanceof AwaitingChallenge && message instanceof Challenge challenge) {
                state = onChallenge(challenge);
            } else if (state instanceof AwaitingSuccess1 awaiting && message instanceof Success1 success) {
                state = onSuccess1(awaiting, success);
            } else {
                throw new AuthFault(AuthRefusal.unexpected(
                        "The controller sent a message of the authentication at the wrong time."));
            }
        } catch (AuthFault fault) {
            state = new Failure2Due(fault.refusal());
        }
    }

    private ReplyDue onChallenge(Challenge challenge) throws AuthFault {
        if (!policy.hashes().contains(challenge.hash())) {
            throw new AuthFault(new AuthRefusal(
                    AuthCheck.HASH_NOT_OFFERED,
                    AuthExplanation.HASH_NOT_USABLE,
                    "The controller chose the hash " + challenge.hash().label() + ", which this host did not offer."));
        }
        if (!policy.groups().contains(challenge.group())) {
            throw new AuthFault(new AuthRefusal(
                    AuthCheck.DH_GROUP_NOT_OFFERED,
                    AuthExplanation.DH_GROUP_NOT_USABLE,
                    "The controller chose the Diffie-Hellman group "
                            + challenge.group().label() + ", which this host did not offer."));
        }
        DhExchange exchange = DhExchange.begin(challenge.group(), random);
        byte[] sharedSecret = exchange.sharedSecret(challenge.dhValue());
        try {
            return reply(challenge, exchange, sharedSecret);
        } finally {
            Arrays.fill(sharedSecret, (byte) 0);
        }
    }

    private ReplyDue reply(Challenge challenge, DhExchange exchange, byte[] sharedSecret) {
        byte[] response = new DhchapResponse(
                        DhchapResponse.Role.HOST,
                        hostNqn,
                        subsystemNqn,
                        challenge.hash(),
                        transactionId,
                        challenge.sequence())
                .compute(policy.hostKey(), challenge.value(), sharedSecret);
        if (policy.controllerKey().isEmpty()) {
            Reply reply = new Reply(transactionId, response, Optional.empty(), 0, exchange.publicValue());
            return new ReplyDue(reply, challenge.hash(), challenge.group(), Optional.empty());
        }
        byte[] counterChallenge = new byte[challenge.hash().digestBytes()];
        random.nextBytes(counterChallenge);
        int sequence = Sequence.next(random);
        byte[] expectedProof = new DhchapResponse(
                        DhchapResponse.Role.CONTROLLER,
                        subsystemNqn,
                        hostNqn,
                        challenge.hash(),
                        transactionId,
                        sequence)
                .compute(policy.controllerKey().get(), counterChallenge, sharedSecret);
        Reply reply =
                new Reply(transactionId, response, Optional.of(counterChallenge), sequence, exchange.publicValue());
        return new ReplyDue(reply, challenge.hash(), challenge.group(), Optional.of(expectedProof));
    }

    private HostState onSuccess1(AwaitingSuccess1 awaiting, Success1 success) throws AuthFault {
        if (awaiting.expectedProof().isEmpty()) {
            return new Authenticated(awaiting.hash(), awaiting.group(), Direction.ONE_WAY);
        }
        byte[] proof = success.response()
                .orElseThrow(() -> new AuthFault(new AuthRefusal(
                        AuthCheck.CONTROLLER_KEY_MISSING,
                        AuthExplanation.FAILED,
                        "The controller did not prove itself, although it was asked to.")));
        if (!MessageDigest.isEqual(awaiting.expectedProof().get(), proof)) {
            throw new AuthFault(new AuthRefusal(
                    AuthCheck.CONTROLLER_PROOF_REFUSED,
                    AuthExplanation.FAILED,
                    "The controller's proof does not match the key that this host has for it."));
        }
        return new Success2Due(awaiting.hash(), awaiting.group());
    }

    private AuthRefusal refusalOf(Failure1 failure) {
        Optional<AuthExplanation> known = AuthExplanation.ofCode(failure.explanation());
        if (known.isEmpty()) {
            return new AuthRefusal(
                    AuthCheck.PROTOCOL_ERROR,
                    AuthExplanation.INCORRECT_PAYLOAD,
                    "The controller refused the authentication with the unknown explanation %d."
                            .formatted(failure.explanation()));
        }
        AuthExplanation explanation = known.get();
        return switch (explanation) {
            case FAILED ->
                new AuthRefusal(
                        AuthCheck.KEY_MISMATCH,
                        explanation,
                        policy.controllerKey().isEmpty()
                                ? "The controller refused this host's key."
                                : "The controller refused this host's key, or it has no key of its own to prove itself"
                                        + " with, as it was asked to.");
            case HASH_NOT_USABLE ->
                new AuthRefusal(
                        AuthCheck.HASH_NOT_OFFERED,
                        explanation,
                        "The controller accepts none of the hashes that this host offers: "
                                + Labels.ofHashes(policy.hashes()) + ".");
            case DH_GROUP_NOT_USABLE ->
                new AuthRefusal(
                        AuthCheck.DH_GROUP_NOT_OFFERED,
                        explanation,
                        "The controller accepts none of the Diffie-Hellman groups that this host offers: "
                                + Labels.ofGroups(policy.groups()) + ".");
            case PROTOCOL_NOT_USABLE, CONCATENATION_MISMATCH, INCORRECT_PAYLOAD, INCORRECT_MESSAGE ->
                new AuthRefusal(
                        AuthCheck.PROTOCOL_ERROR,
                        explanation,
                        "The controller refused the authentication: " + explanation.sentence() + ".");
        };
    }

    /** What became of the exchange so far. */
    public AuthProgress progress() {
        return switch (state) {
            case Authenticated over -> new AuthProgress.Succeeded(over.hash(), over.group(), over.direction());
            case Failure2Due due -> new AuthProgress.Refused(due.refusal());
            case Refused refused -> new AuthProgress.Refused(refused.refusal());
            case NegotiateDue _, AwaitingChallenge _, ReplyDue _, AwaitingSuccess1 _, Success2Due _ ->
                new AuthProgress.Pending();
        };
    }

    HostState state() {
        return state;
    }
}
