package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each event in each state of the host's side. {@code -} stands for a call that the host's user must not make. */
class AuthHostStateTest {

    private static final String HOST = "nqn.2026-01.io.fairlead:host";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final int TRANSACTION_ID = 7;

    private final MemorySegment buffer = MemorySegment.ofArray(new byte[AuthMessage.BYTES_MAX]);
    private final DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, new Random(1));

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            STATE,             SEND,              CHALLENGE,   SUCCESS1,    FAILURE1, NONSENSE
            NegotiateDue,      AwaitingChallenge, -,           -,           -,        -
            AwaitingChallenge, -,                 ReplyDue,    Failure2Due, Refused,  Failure2Due
            ReplyDue,          AwaitingSuccess1,  -,           -,           -,        -
            AwaitingSuccess1,  -,                 Failure2Due, Success2Due, Refused,  Failure2Due
            Success2Due,       Authenticated,     -,           -,           -,        -
            Failure2Due,       Refused,           -,           -,           -,        -
            Authenticated,     -,                 -,           -,           -,        -
            Refused,           -,                 -,           -,           -,        -
            """)
    void shouldMakeOnlyTheLegalTransitions(
            String state, String onSend, String onChallenge, String onSuccess1, String onFailure1, String onNonsense) {
        Map<Event, String> row = Map.of(
                Event.SEND, onSend,
                Event.CHALLENGE, onChallenge,
                Event.SUCCESS1, onSuccess1,
                Event.FAILURE1, onFailure1,
                Event.NONSENSE, onNonsense);
        row.forEach((event, expected) -> {
            AuthHost host = reach(state);
            assertThat(nameOf(host)).as("reached").isEqualTo(state);
            if (expected.equals("-")) {
                assertThatThrownBy(() -> fire(host, event)).isInstanceOf(IllegalStateException.class);
                assertThat(nameOf(host)).isEqualTo(state);
            } else {
                fire(host, event);
                assertThat(nameOf(host)).as(state + " on " + event).isEqualTo(expected);
            }
        });
    }

    @Test
    void shouldRefuseAHashOrGroupThatItDidNotOffer() {
        assertThat(checkAfter(new Challenge(
                        TRANSACTION_ID, DhchapHash.SHA_512, DhchapGroup.NULL, 1, new byte[64], new byte[0])))
                .isEqualTo(AuthCheck.HASH_NOT_OFFERED);
        assertThat(checkAfter(new Challenge(
                        TRANSACTION_ID, DhchapHash.SHA_256, DhchapGroup.FFDHE_2048, 1, new byte[32], new byte[256])))
                .isEqualTo(AuthCheck.DH_GROUP_NOT_OFFERED);
    }

    @Test
    void shouldNotAcceptSuccessWithoutTheProofThatItAskedFor() {
        AuthHost host = reach("AwaitingSuccess1");

        receive(host, new Success1(TRANSACTION_ID, 32, Optional.empty()));

        assertThat(checkOf(host)).isEqualTo(AuthCheck.CONTROLLER_KEY_MISSING);
    }

    private AuthCheck checkAfter(Challenge challenge) {
        AuthHost host = reach("AwaitingChallenge");
        receive(host, challenge);
        return checkOf(host);
    }

    private static AuthCheck checkOf(AuthHost host) {
        return ((AuthProgress.Refused) host.progress()).refusal().check();
    }

    private static String nameOf(AuthHost host) {
        return host.state().getClass().getSimpleName();
    }

    private enum Event {
        SEND,
        CHALLENGE,
        SUCCESS1,
        FAILURE1,
        NONSENSE
    }

    private AuthHost reach(String state) {
        HostPolicy policy =
                new HostPolicy(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), key, Optional.of(key));
        AuthHost host = new AuthHost(HOST, SUBSYSTEM, policy, TRANSACTION_ID, new Random(5));
        List<Event> path = switch (state) {
            case "NegotiateDue" -> List.of();
            case "AwaitingChallenge" -> List.of(Event.SEND);
            case "ReplyDue" -> List.of(Event.SEND, Event.CHALLENGE);
            case "AwaitingSuccess1" -> List.of(Event.SEND, Event.CHALLENGE, Event.SEND);
            case "Success2Due" -> List.of(Event.SEND, Event.CHALLENGE, Event.SEND, Event.SUCCESS1);
            case "Authenticated" -> List.of(Event.SEND, Event.CHALLENGE, Event.SEND, Event.SUCCESS1, Event.SEND);
            case "Failure2Due" -> List.of(Event.SEND, Event.NONSENSE);
            case "Refused" -> List.of(Event.SEND, Event.NONSENSE, Event.SEND);
            default -> throw new IllegalArgumentException(state);
        };
        path.forEach(event -> fire(host, event));
        return host;
    }

    private void fire(AuthHost host, Event event) {
        switch (event) {
            case SEND -> host.writeNext(buffer);
            case CHALLENGE ->
                receive(
                        host,
                        new Challenge(
                                TRANSACTION_ID, DhchapHash.SHA_256, DhchapGroup.NULL, 1, new byte[32], new byte[0]));
            case SUCCESS1 -> receive(host, new Success1(TRANSACTION_ID, 32, Optional.of(expectedProof(host))));
            case FAILURE1 -> receive(host, Failure1.of(TRANSACTION_ID, AuthExplanation.FAILED));
            case NONSENSE -> host.onReceived(MemorySegment.ofArray(new byte[3]));
        }
    }

    private static byte[] expectedProof(AuthHost host) {
        return host.state() instanceof HostState.AwaitingSuccess1 awaiting
                ? awaiting.expectedProof().orElseThrow()
                : new byte[32];
    }

    private void receive(AuthHost host, AuthMessage message) {
        message.write(buffer);
        host.onReceived(buffer.asSlice(0, message.bytes()));
    }
}
