package io.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.ContractJson;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Takes the database away from a running appliance. */
class DatabaseApplianceIT {

    @Test
    void shouldSayThatTheDatabaseIsGoneAndComeBackByItself(@TempDir Path state) throws Exception {
        try (Appliance appliance = PackagedAppliance.start(state)) {
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest heads = HttpRequest.newBuilder(appliance.url().resolve("/api/v1/heads"))
                    .header("Authorization", "Bearer " + appliance.administratorToken())
                    .timeout(Duration.ofSeconds(20))
                    .build();
            long postmaster = Long.parseLong(Files.readAllLines(state.resolve("management/postgres/postmaster.pid"))
                    .getFirst()
                    .strip());

            ProcessHandle database = ProcessHandle.of(postmaster).orElseThrow();
            database.destroyForcibly();
            database.onExit().join();

            List<HttpResponse<String>> refused = new ArrayList<>();
            await().atMost(Duration.ofSeconds(90)).until(() -> {
                HttpResponse<String> answer = http.send(heads, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    refused.add(answer);
                }
                return answer.statusCode() == 200;
            });
            for (HttpResponse<String> answer : refused) {
                JsonNode problem = ContractJson.mapper().readTree(answer.body());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                assertThat(problem.path("type").asText()).isEqualTo("urn:fairlead:problem:database.unavailable");
            }
            // The head reports again without anybody's help.
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                JsonNode head = ContractJson.mapper()
                        .readTree(http.send(heads, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .path("items")
                        .path(0);
                return head.path("state").asText().equals("ONLINE");
            });
        }
    }
}
