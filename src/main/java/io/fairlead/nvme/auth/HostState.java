package io.fairlead.nvme.auth;

import io.fairlead.nvme.auth.AuthProgress.Direction;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import java.util.Optional;

/**
 * The host's side of one exchange; {@link AuthHost} has the transitions.
 *
 * <pre>
 * NegotiateDue ─Negotiate→ AwaitingChallenge ─Challenge→ ReplyDue ─Reply→ AwaitingSuccess1 ─Success1→ Authenticated
 *                                                                               └ two-way: Success2Due ─Success2┘
 * AwaitingChallenge, AwaitingSuccess1 ─Failure1→ Refused      either ─fault→ Failure2Due ─Failure2→ Refused
 * </pre>
 */
sealed interface HostState {

    /** Nothing has been sent. */
    record NegotiateDue() implements HostState {}

    /** Negotiate was sent. */
    record AwaitingChallenge() implements HostState {}

    /** The Reply is computed. {@code expectedProof} is the controller's response that the host will accept. */
    record ReplyDue(Reply reply, DhchapHash hash, DhchapGroup group, Optional<byte[]> expectedProof)
            implements HostState {
        AwaitingSuccess1 toSent() {
            return new AwaitingSuccess1(hash, group, expectedProof);
        }
    }

    /** The Reply was sent. */
    record AwaitingSuccess1(DhchapHash hash, DhchapGroup group, Optional<byte[]> expectedProof) implements HostState {}

    /** The controller's proof is accepted, and it has to be told. */
    record Success2Due(DhchapHash hash, DhchapGroup group) implements HostState {
        Authenticated toSent() {
            return new Authenticated(hash, group, Direction.TWO_WAY);
        }
    }

    /** Final. */
    record Authenticated(DhchapHash hash, DhchapGroup group, Direction direction) implements HostState {}

    /** The controller has to be told why. */
    record Failure2Due(AuthRefusal refusal) implements HostState {
        Refused toSent() {
            return new Refused(refusal);
        }
    }

    /** Final. */
    record Refused(AuthRefusal refusal) implements HostState {}
}
