package io.fairlead.nvme.auth;

import io.fairlead.nvme.auth.AuthProgress.Direction;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The controller's side of one exchange. Each state has the transitions that are legal from it, and no other.
 *
 * <pre>
 * AwaitingNegotiate ─Negotiate→ ChallengeDue ─Challenge→ AwaitingReply ─Reply→ Success1Due ─Success1→ Authenticated
 *                                                                                   └ two-way: AwaitingSuccess2 ─Success2┘
 * any of them ─fault→ Failure1Due ─Failure1→ Refused          AwaitingReply, Success1Due, AwaitingSuccess2 ─Failure2→ Refused
 * </pre>
 */
sealed interface ControllerState {

    /** T_ID for a failure message; 0 as long as none is known. */
    int transactionId();

    /** Nothing has come yet. */
    record AwaitingNegotiate() implements ControllerState {
        @Override
        public int transactionId() {
            return 0;
        }

        ChallengeDue onNegotiate(Negotiate negotiate, ControllerPolicy policy) throws AuthFault {
            if (negotiate.concatenation() != 0) {
                throw new AuthFault(new AuthRefusal(
                        AuthCheck.PROTOCOL_ERROR,
                        AuthExplanation.CONCATENATION_MISMATCH,
                        "The host asks for a secure channel after authentication, which is not offered here."));
            }
            DhchapHash hash = policy.hashes().stream()
                    .filter(negotiate.hashes()::contains)
                    .findFirst()
                    .orElseThrow(() -> new AuthFault(new AuthRefusal(
                            AuthCheck.HASH_NOT_OFFERED,
                            AuthExplanation.HASH_NOT_USABLE,
                            "The host offers the hashes %s, and %s is required."
                                    .formatted(
                                            Labels.ofHashes(negotiate.hashes()), Labels.ofHashes(policy.hashes())))));
            DhchapGroup group = policy.groups().stream()
                    .filter(negotiate.groups()::contains)
                    .findFirst()
                    .orElseThrow(() -> new AuthFault(new AuthRefusal(
                            AuthCheck.DH_GROUP_NOT_OFFERED,
                            AuthExplanation.DH_GROUP_NOT_USABLE,
                            "The host offers the Diffie-Hellman groups %s, and %s is required."
                                    .formatted(
                                            Labels.ofGroups(negotiate.groups()), Labels.ofGroups(policy.groups())))));
            return new ChallengeDue(negotiate.transactionId(), hash, group);
        }
    }

    /** The next Authentication Receive gets the Challenge. */
    record ChallengeDue(int transactionId, DhchapHash hash, DhchapGroup group) implements ControllerState {

        int challengeBytes() {
            return Challenge.FIXED_BYTES + hash.digestBytes() + group.valueBytes();
        }

        AwaitingReply toAwaitingReply(RandomGenerator random) {
            byte[] value = new byte[hash.digestBytes()];
            random.nextBytes(value);
            DhExchange exchange = DhExchange.begin(group, random);
            int sequence = Sequence.next(random);
            return new AwaitingReply(
                    new Challenge(transactionId, hash, group, sequence, value, exchange.publicValue()), exchange);
        }
    }

    /** The Challenge was delivered. */
    record AwaitingReply(Challenge challenge, DhExchange exchange) implements ControllerState {
        @Override
        public int transactionId() {
            return challenge.transactionId();
        }

        Success1Due onReply(Reply reply, String hostNqn, String subsystemNqn, ControllerPolicy policy)
                throws AuthFault {
            if (reply.response().length != challenge.hash().digestBytes()) {
                throw Payload.malformed("DHCHAP_Reply has a hash length of %d with %s."
                        .formatted(reply.response().length, challenge.hash().label()));
            }
            byte[] sharedSecret = exchange.sharedSecret(reply.dhValue());
            try {
                requireProofOfHost(reply, hostNqn, subsystemNqn, policy, sharedSecret);
                Optional<byte[]> proof = reply.counterChallenge().isEmpty()
                        ? Optional.empty()
                        : Optional.of(proofOfController(reply, hostNqn, subsystemNqn, policy, sharedSecret));
                return new Success1Due(transactionId(), challenge.hash(), challenge.group(), proof);
            } finally {
                Arrays.fill(sharedSecret, (byte) 0);
            }
        }

        private void requireProofOfHost(
                Reply reply, String hostNqn, String subsystemNqn, ControllerPolicy policy, byte[] sharedSecret)
                throws AuthFault {
            byte[] expected = new DhchapResponse(
                            DhchapResponse.Role.HOST,
                            hostNqn,
                            subsystemNqn,
                            challenge.hash(),
                            transactionId(),
                            challenge.sequence())
                    .compute(policy.hostKey(), challenge.value(), sharedSecret);
            if (!MessageDigest.isEqual(expected, reply.response())) {
                throw new AuthFault(new AuthRefusal(
                        AuthCheck.KEY_MISMATCH,
                        AuthExplanation.FAILED,
                        "The host's response does not match the key that is kept for it."));
            }
        }

        private byte[] proofOfController(
                Reply reply, String hostNqn, String subsystemNqn, ControllerPolicy policy, byte[] sharedSecret)
                throws AuthFault {
            if (policy.controllerKey().isEmpty()) {
                throw new AuthFault(new AuthRefusal(
                        AuthCheck.CONTROLLER_KEY_MISSING,
                        AuthExplanation.FAILED,
                        "The host asks the controller to prove itself, and there is no controller key for this host."));
            }
            return new DhchapResponse(
                            DhchapResponse.Role.CONTROLLER,
                            subsystemNqn,
                            hostNqn,
                            challenge.hash(),
                            transactionId(),
                            reply.sequence())
                    .compute(
                            policy.controllerKey().get(),
                            reply.counterChallenge().orElseThrow(),
                            sharedSecret);
        }
    }

    /** The host has proved itself; the next Authentication Receive gets Success1. */
    record Success1Due(int transactionId, DhchapHash hash, DhchapGroup group, Optional<byte[]> proof)
            implements ControllerState {

        Success1 message() {
            return new Success1(transactionId, hash.digestBytes(), proof);
        }

        ControllerState toDelivered() {
            return proof.isPresent()
                    ? new AwaitingSuccess2(transactionId, hash, group)
                    : new Authenticated(transactionId, hash, group, Direction.ONE_WAY);
        }
    }

    /** The controller's proof was delivered. */
    record AwaitingSuccess2(int transactionId, DhchapHash hash, DhchapGroup group) implements ControllerState {
        Authenticated onSuccess2() {
            return new Authenticated(transactionId, hash, group, Direction.TWO_WAY);
        }
    }

    /** Final. */
    record Authenticated(int transactionId, DhchapHash hash, DhchapGroup group, Direction direction)
            implements ControllerState {}

    /** The next Authentication Receive gets Failure1. */
    record Failure1Due(int transactionId, AuthRefusal refusal) implements ControllerState {
        Failure1 message() {
            return Failure1.of(transactionId, refusal.explanation());
        }

        Refused toDelivered() {
            return new Refused(transactionId, refusal);
        }
    }

    /** Final: both sides know. */
    record Refused(int transactionId, AuthRefusal refusal) implements ControllerState {
        Failure1 message() {
            return Failure1.of(transactionId, refusal.explanation());
        }
    }
}
