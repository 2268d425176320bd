package io.fairlead.worker.engine.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.AuthenticationFailureReport.Check;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelLogTest {

    private static final Instant BOOTED = Instant.parse("2026-12-06T00:00:00Z");
    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-4000-8000-000000000001";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:a";

    private final KernelLog log = new KernelLog("boot", BOOTED);

    @Test
    void shouldExplainAHostThatIsNotAllowed() {
        log.accept("6,310,2500000,-;nvmet: connect by host " + HOST + " for subsystem " + SUBSYSTEM + " not allowed\n");

        AuthenticationFailureReport refusal = log.take().getFirst();
        assertThat(refusal.check()).isEqualTo(Check.HOST_NOT_ALLOWED);
        assertThat(refusal.hostNqn()).isEqualTo(HOST);
        assertThat(refusal.subsystemNqn()).isEqualTo(SUBSYSTEM);
        assertThat(refusal.at()).isEqualTo(BOOTED.plusMillis(2500));
    }

    @Test
    void shouldKnowWhoseResponseDoesNotMatchByTheControllerThatWasMadeBefore() {
        log.accept("6,311,1,-;nvmet: creating nvm controller 3 for subsystem " + SUBSYSTEM + " for NQN " + HOST
                + " with DH-HMAC-CHAP.\n");
        log.accept("6,312,2,-;nvmet: ctrl 3 qid 0 host response mismatch\n");

        AuthenticationFailureReport refusal = log.take().getFirst();
        assertThat(refusal.check()).isEqualTo(Check.KEY_MISMATCH);
        assertThat(refusal.hostNqn()).isEqualTo(HOST);
        assertThat(log.hasConnected(SUBSYSTEM, HOST)).isTrue();
    }

    @Test
    void shouldTellOfOneRefusalOnce() {
        log.accept(created(1, SUBSYSTEM, HOST, 1));
        log.accept("4,312,2,-;nvmet: ctrl 1 qid 0 host response mismatch\n");
        log.accept("4,313,3,-;nvmet: ctrl 1 qid 0 failure1 (1)\n");

        assertThat(log.take())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.check()).isEqualTo(Check.KEY_MISMATCH));
    }

    @Test
    void shouldTellOfEachAttemptOfOneController() {
        for (int attempt = 0; attempt < 2; attempt++) {
            log.accept(created(1, SUBSYSTEM, HOST, attempt * 10));
            log.accept("4," + (400 + attempt) + ",2,-;nvmet: ctrl 1 qid 0 host response mismatch\n");
        }

        assertThat(log.take()).hasSize(2);
    }

    @Test
    void shouldNotPretendToKnowWhoItWasWhenTwoSubsystemsHaveThatController() {
        log.accept(created(1, "nqn.2026-01.io.fairlead:b", "nqn.2026-01.io.fairlead:other-host", 1));
        log.accept(created(1, SUBSYSTEM, HOST, 2));
        log.accept("4,312,3,-;nvmet: ctrl 1 qid 0 host response mismatch\n");

        AuthenticationFailureReport refusal = log.take().getFirst();
        assertThat(refusal.hostNqn()).isEqualTo(HOST);
        assertThat(refusal.detail())
                .contains("may have been nqn.2026-01.io.fairlead:other-host at nqn.2026-01.io.fairlead:b");
    }

    @Test
    void shouldForgetWhoCannotBeAuthenticatingAnyMore() {
        log.accept(created(1, "nqn.2026-01.io.fairlead:b", "nqn.2026-01.io.fairlead:other-host", 1));
        log.accept(created(1, SUBSYSTEM, HOST, 130_000_000));
        log.accept("4,312,130000001,-;nvmet: ctrl 1 qid 0 host response mismatch\n");

        assertThat(log.take().getFirst().detail()).doesNotContain("may have been");
    }

    private static String created(int controller, String subsystem, String host, long microseconds) {
        return "6,311," + microseconds + ",-;nvmet: creating nvm controller " + controller + " for subsystem "
                + subsystem + " for NQN " + host + " with DH-HMAC-CHAP.\n";
    }

    @Test
    void shouldTellTheSameRefusalWithTheSameIdAfterARestart() {
        String record = "4,99,7,-;nvmet: connect request for invalid subsystem nqn.x!\n";
        log.accept(record);
        KernelLog afterRestart = new KernelLog("boot", BOOTED);
        afterRestart.accept(record);

        assertThat(afterRestart.take()).isEqualTo(log.take());
    }

    @Test
    void shouldIgnoreWhatIsNotOfTheTarget() {
        List.of(
                        "6,1,2,-;usb 1-1: new device\n",
                        "",
                        "6,2,3,-;nvmet: adding nsid 1 to subsystem x\n SUBSYSTEM=nvme\n",
                        ";;;")
                .forEach(log::accept);

        assertThat(log.take()).isEmpty();
    }
}
