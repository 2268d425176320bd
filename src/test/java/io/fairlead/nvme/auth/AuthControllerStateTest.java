package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Each event in each state of the controller's side. */
class AuthControllerStateTest {

    private static final String HOST = "nqn.2026-01.io.fairlead:host";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final int TRANSACTION_ID = 7;

    private final MemorySegment buffer = MemorySegment.ofArray(new byte[AuthMessage.BYTES_MAX]);
    private final DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, new Random(1));
    private final ControllerPolicy policy =
            new ControllerPolicy(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), key, Optional.of(key));

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            STATE,             NEGOTIATE,     REPLY,         SUCCESS2,      FAILURE2,      RECEIVE,          DEPARTURE
            AwaitingNegotiate, ChallengeDue,  Failure1Due,   Failure1Due,   Failure1Due,   Refused,          Refused
            ChallengeDue,      Failure1Due,   Failure1Due,   Failure1Due,   Failure1Due,   AwaitingReply,    Refused
            AwaitingReply,     Failure1Due,   Success1Due,   Failure1Due,   Refused,       Refused,          Refused
            Success1Due,       Failure1Due,   Failure1Due,   Failure1Due,   Refused,       AwaitingSuccess2, Refused
            AwaitingSuccess2,  Failure1Due,   Failure1Due,   Authenticated, Refused,       Refused,          Refused
            Authenticated,     Failure1Due,   Failure1Due,   Failure1Due,   Failure1Due,   Refused,          Authenticated
            Failure1Due,       Failure1Due,   Failure1Due,   Failure1Due,   Failure1Due,   Refused,          Refused
            Refused,           Refused,       Refused,       Refused,       Refused,       Refused,          Refused
            """)
    void shouldMakeOnlyTheLegalTransitions(
            String state,
            String onNegotiate,
            String onReply,
            String onSuccess2,
            String onFailure2,
            String onReceive,
            String onDeparture) {
        Map<Event, String> row = Map.of(
                Event.NEGOTIATE, onNegotiate,
                Event.REPLY, onReply,
                Event.SUCCESS2, onSuccess2,
                Event.FAILURE2, onFailure2,
                Event.RECEIVE, onReceive,
                Event.DEPARTURE, onDeparture);
        row.forEach((event, expected) -> {
            Ends ends = reach(state);
            assertThat(nameOf(ends.controller)).as("reached").isEqualTo(state);

            ends.fire(event);

            assertThat(nameOf(ends.controller)).as(state + " on " + event).isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @CsvSource({"AwaitingReply, REPLY", "AwaitingReply, FAILURE2", "AwaitingSuccess2, SUCCESS2"})
    void shouldRefuseAnotherTransaction(String state, Event event) {
        Ends ends = reach(state);
        ends.transactionId = TRANSACTION_ID + 1;

        ends.fire(event);

        assertThat(checkOf(ends.controller)).isEqualTo(AuthCheck.PROTOCOL_ERROR);
    }

    @Test
    void shouldSayThatNoKeyWasPresentedWhenTheHostLeavesEarly() {
        for (String state : List.of("AwaitingNegotiate", "ChallengeDue", "AwaitingReply")) {
            Ends ends = reach(state);

            ends.fire(Event.DEPARTURE);

            assertThat(checkOf(ends.controller)).isEqualTo(AuthCheck.KEY_NOT_PRESENTED);
        }
    }

    @Test
    void shouldDeliverTheFailureAgainWhenAskedAgain() {
        Ends ends = reach("Refused");

        assertThat(ends.controller.onReceive(buffer)).isEqualTo(Failure1.FIXED_BYTES);

        assertThat(nameOf(ends.controller)).isEqualTo("Refused");
        assertThat(buffer.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                .startsWith(0x00, 0xF1, 0x00, 0x00, TRANSACTION_ID, 0x00, 0x01, 0x07);
    }

    @Test
    void shouldRefuseAnAllocationThatIsTooSmall() {
        Ends ends = reach("ChallengeDue");

        assertThat(ends.controller.onReceive(buffer.asSlice(0, 47))).isEqualTo(Failure1.FIXED_BYTES);
        assertThat(checkOf(ends.controller)).isEqualTo(AuthCheck.PROTOCOL_ERROR);
        assertThat(reach("ChallengeDue").controller.onReceive(buffer.asSlice(0, 7)))
                .isZero();
    }

    private static String nameOf(AuthController controller) {
        return controller.state().getClass().getSimpleName();
    }

    private static AuthCheck checkOf(AuthController controller) {
        return ((AuthProgress.Refused) controller.progress()).refusal().check();
    }

    private Ends reach(String state) {
        Ends ends = new Ends();
        List<Event> path = switch (state) {
            case "AwaitingNegotiate" -> List.of();
            case "ChallengeDue" -> List.of(Event.NEGOTIATE);
            case "AwaitingReply" -> List.of(Event.NEGOTIATE, Event.RECEIVE);
            case "Success1Due" -> List.of(Event.NEGOTIATE, Event.RECEIVE, Event.REPLY);
            case "AwaitingSuccess2" -> List.of(Event.NEGOTIATE, Event.RECEIVE, Event.REPLY, Event.RECEIVE);
            case "Authenticated" -> List.of(Event.NEGOTIATE, Event.RECEIVE, Event.REPLY, Event.RECEIVE, Event.SUCCESS2);
            case "Failure1Due" -> List.of(Event.NEGOTIATE, Event.NEGOTIATE);
            case "Refused" -> List.of(Event.NEGOTIATE, Event.NEGOTIATE, Event.RECEIVE);
            default -> throw new IllegalArgumentException(state);
        };
        path.forEach(ends::fire);
        return ends;
    }

    private enum Event {
        NEGOTIATE,
        REPLY,
        SUCCESS2,
        FAILURE2,
        RECEIVE,
        DEPARTURE
    }

    /** A controller, and a host that says whatever the test wants. */
    private final class Ends {
        private final AuthController controller = new AuthController(HOST, SUBSYSTEM, policy, new Random(5));
        private int transactionId = TRANSACTION_ID;

        void fire(Event event) {
            switch (event) {
                case NEGOTIATE -> send(new Negotiate(transactionId, 0, policy.hashes(), policy.groups()));
                case REPLY -> send(reply());
                case SUCCESS2 -> send(new Success2(transactionId));
                case FAILURE2 -> send(Failure2.of(transactionId, AuthExplanation.FAILED));
                case RECEIVE -> controller.onReceive(buffer);
                case DEPARTURE -> controller.onDeparture(AuthController.Departure.DISCONNECTED);
            }
        }

        private Reply reply() {
            byte[] counterChallenge = new byte[32];
            byte[] response = controller.state() instanceof ControllerState.AwaitingReply awaiting
                    ? new DhchapResponse(
                                    DhchapResponse.Role.HOST,
                                    HOST,
                                    SUBSYSTEM,
                                    DhchapHash.SHA_256,
                                    transactionId,
                                    awaiting.challenge().sequence())
                            .compute(key, awaiting.challenge().value(), new byte[0])
                    : new byte[32];
            return new Reply(transactionId, response, Optional.of(counterChallenge), 1, new byte[0]);
        }

        private void send(AuthMessage message) {
            message.write(buffer);
            controller.onSend(buffer.asSlice(0, message.bytes()));
        }
    }
}
