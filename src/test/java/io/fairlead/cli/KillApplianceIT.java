package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.ContractJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls the plug on each process while a host writes, reads and verifies without pause. */
class KillApplianceIT {

    private static final int RUN_SECONDS = 60;

    @Test
    void shouldServeTheSameNamespaceThroughTheLossOfEitherProcess(@TempDir Path state) throws Exception {
        try (Appliance appliance = PackagedAppliance.start(state)) {
            Home home = PackagedAppliance.home();
            int port = Demo.freePort();
            Demo.Export export = new Demo(home, appliance, new Narrator(System.err, Clock.systemUTC()))
                    .export("kill", "sha256", "null", Demo.Direction.ONE_WAY, port);
            try (Load load = Load.start(home, export, port)) {
                JsonNode before = load.await(tick -> tick.path("ops").asLong() > 0);

                appliance.management().kill();
                JsonNode alone = load.await(
                        tick -> tick.path("ops").asLong() > before.path("ops").asLong() + 100);
                assertThat(alone.path("errors").asLong()).isZero();
                assertThat(alone.path("reconnects").asLong()).isZero();

                appliance.worker().kill();
                appliance.startWorker();
                JsonNode after = load.await(tick -> tick.path("reconnects").asLong() > 0
                        && tick.path("state").asText().equals("connected")
                        && tick.path("ops").asLong() > alone.path("ops").asLong() + 100);
                for (String identity : new String[] {"nsid", "uuid", "nguid", "serial"}) {
                    assertThat(after.path(identity)).as(identity).isEqualTo(before.path(identity));
                    assertThat(after.path(identity).asText()).as(identity).isNotEmpty();
                }

                appliance.restartManagement();
                assertThat(appliance
                                .client()
                                .get("/api/v1/jobs/" + export.jobId())
                                .path("state")
                                .asText())
                        .isEqualTo("SUCCEEDED");
                JsonNode end = load.await(tick -> tick.path("final").asBoolean());
                assertThat(end.path("mismatches").asLong()).isZero();
                assertThat(end.path("identityChanges").asLong()).isZero();
                assertThat(end.path("ok").asBoolean()).isTrue();
            }
        }
    }

    /** The initiator's sustained load, which tells of itself once a second. */
    private record Load(Process process, BufferedReader lines) implements AutoCloseable {

        static Load start(Home home, Demo.Export export, int port) throws IOException {
            String[] arguments = Demo.arguments(
                    export,
                    port,
                    "io",
                    "--overwrite-data",
                    "--run-seconds",
                    Integer.toString(RUN_SECONDS),
                    "--bytes",
                    Long.toString(16L << 20),
                    "--block",
                    "4096",
                    "--queue-depth",
                    "4");
            Process process = new ProcessBuilder(home.nvme(arguments))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Load(process, process.inputReader(StandardCharsets.UTF_8));
        }

        JsonNode await(Predicate<JsonNode> condition) throws IOException {
            String line;
            String last = "nothing";
            while ((line = lines.readLine()) != null) {
                last = line;
                JsonNode tick = ContractJson.mapper().readTree(line);
                if (condition.test(tick)) {
                    return tick;
                }
            }
            throw new AssertionError("The load ended before that; it last said: " + last);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
