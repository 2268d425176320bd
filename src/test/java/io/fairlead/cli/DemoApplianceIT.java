package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration, on the packaged appliance: real processes, a real database, real sockets. */
class DemoApplianceIT {

    @Test
    void shouldProveVerifyAndExplainAndLeaveNoSecretBehind(@TempDir Path state) throws IOException {
        Demo.Outcome outcome;
        try (Appliance appliance = PackagedAppliance.start(state)) {
            outcome = new Demo(PackagedAppliance.home(), appliance, new Narrator(System.err, Clock.systemUTC())).run();
        }

        assertThat(outcome.proven()).isTrue();
        assertThat(outcome.paths()).hasSize(2).allSatisfy(path -> {
            assertThat(path.subsystem()).startsWith("nqn.");
            assertThat(path.host()).startsWith("nqn.");
            assertThat(path.transport()).isEqualTo("tcp");
            assertThat(path.traddr()).isEqualTo("127.0.0.1");
            assertThat(Integer.parseInt(path.trsvcid())).isPositive();
            assertThat(path.p50Micros()).isPositive();
            assertThat(path.p99Micros()).isGreaterThanOrEqualTo(path.p50Micros());
        });
        assertThat(outcome.paths())
                .extracting(Demo.ProvenPath::authentication)
                .containsExactlyInAnyOrder(
                        new Demo.Authentication("sha256", "ffdhe2048", false),
                        new Demo.Authentication("sha512", "ffdhe3072", true));
        assertThat(outcome.bytesVerified()).isGreaterThanOrEqualTo(64L << 20);
        assertThat(outcome.refusals())
                .extracting(Demo.Refusal::check)
                .containsAll(Set.of("KEY_MISMATCH", "HOST_NOT_ALLOWED"));
        for (String log : new String[] {"management.log", "worker.log"}) {
            assertThat(Files.readString(state.resolve(log))).as(log).doesNotContain("DHHC-1:");
        }
    }
}
