package io.fairlead.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.contract.ContractJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The public REST API, as a script would use it. */
final class ManagementClient {

    private static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(30);
    private static final Set<String> JOB_ENDS = Set.of("SUCCEEDED", "FAILED");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final ObjectMapper json = ContractJson.mapper();
    private final URI base;
    private final String bearer;
    private final InstantSource clock;

    ManagementClient(URI base, String bearer, InstantSource clock) {
        this.base = base;
        this.bearer = bearer;
        this.clock = clock;
    }

    JsonNode get(String path) {
        return send(request(path).GET().build());
    }

    /** Posts once, whatever happens on the way: the request carries an idempotency key. */
    JsonNode post(String path, JsonNode body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    /** Follows the job's event stream to its end, telling of each step once; returns the finished job. */
    JsonNode follow(String jobId, Duration patience, Consumer<JsonNode> onChange) {
        Instant giveUp = clock.instant().plus(patience);
        while (clock.instant().isBefore(giveUp)) {
            HttpRequest events = request("/api/v1/jobs/" + jobId + "/events")
                    .header("Accept", "text/event-stream")
                    .timeout(patience)
                    .GET()
                    .build();
            try (Stream<String> lines =
                    http.send(events, HttpResponse.BodyHandlers.ofLines()).body()) {
                var iterator = lines.iterator();
                while (iterator.hasNext()) {
                    String line = iterator.next();
                    if (!line.startsWith("data:")) {
                        continue;
                    }
                    JsonNode job = json.readTree(line.substring("data:".length()));
                    onChange.accept(job);
                    if (JOB_ENDS.contains(job.path("state").asText())) {
                        return job;
                    }
                }
            } catch (IOException e) {
                // The stream broke off; the job itself says where it stands.
                JsonNode job = get("/api/v1/jobs/" + jobId);
                if (JOB_ENDS.contains(job.path("state").asText())) {
                    return job;
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        throw new CommandFailure("Job " + jobId + " did not end within " + patience.toSeconds() + " s.");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(REQUEST_TIME_MAX)
                .header("Authorization", "Bearer " + bearer);
    }

    private JsonNode send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new CommandFailure(
                        request.method() + " " + request.uri().getPath() + " was answered with " + explain(response));
            }
            return response.body().isEmpty() ? json.nullNode() : json.readTree(response.body());
        } catch (IOException e) {
            throw new CommandFailure("The management plane at " + base + " does not answer: " + e, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private String explain(HttpResponse<String> response) {
        try {
            JsonNode problem = json.readTree(response.body());
            return response.statusCode() + ": " + problem.path("detail").asText(response.body())
                    + (problem.path("errors").isEmpty() ? "" : " " + problem.path("errors"));
        } catch (JsonProcessingException e) {
            return response.statusCode() + ": " + response.body();
        }
    }

    static CommandFailure interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new CommandFailure("Interrupted.", e);
    }
}
