package io.fairlead.worker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.AuthenticationFailureReport;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private final Outbox outbox = new Outbox(refusal -> refusal.traddr().equals("127.0.0.1:7"));

    @Test
    void shouldKeepRefusalsUntilTheyAreAcknowledged() {
        outbox.addRefusals(List.of(refusal(1)));

        assertThat(outbox.content().refusals()).containsExactly(refusal(1));
        assertThat(outbox.content().refusals()).containsExactly(refusal(1));
        outbox.acknowledge(outbox.content());

        assertThat(outbox.content().refusals()).isEmpty();
    }

    @Test
    void shouldNotForgetWhatCameWhileAReportWasOnItsWay() {
        outbox.addRefusals(List.of(refusal(1)));
        Outbox.Content sent = outbox.content();
        outbox.addRefusals(List.of(refusal(2)));

        outbox.acknowledge(sent);

        assertThat(outbox.content().refusals()).containsExactly(refusal(2));
    }

    @Test
    void shouldDropTheOldestWhenThereAreTooManyAndCountThem() {
        outbox.addRefusals(IntStream.rangeClosed(8, Outbox.KEPT_MAX + 10)
                .mapToObj(OutboxTest::refusal)
                .toList());

        assertThat(outbox.content().refusals()).hasSize(Outbox.KEPT_MAX).startsWith(refusal(11));
        assertThat(outbox.droppedCount()).isEqualTo(3);
    }

    @Test
    void shouldNotTellOfTheWorkersOwnAttemptsWithoutAKey() {
        assertThat(outbox.addRefusals(List.of(refusal(1), refusal(7)))).containsExactly(refusal(1));

        assertThat(outbox.content().refusals()).containsExactly(refusal(1));
    }

    private static AuthenticationFailureReport refusal(int number) {
        return new AuthenticationFailureReport(
                new UUID(0, number),
                Instant.EPOCH,
                "nqn.host",
                "nqn.subsystem",
                "127.0.0.1:" + number,
                AuthenticationFailureReport.Check.KEY_MISMATCH,
                "wrong key");
    }
}
