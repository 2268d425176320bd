package io.fairlead.management.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.JobId;
import io.fairlead.core.PathId;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.intent.WorkerApi;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Jobs as a feature opens them and a worker's reports move them. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class JobResourceTest {

    @Inject
    JobService jobs;

    @Inject
    HeadService heads;

    @TestHTTPResource("/")
    URI url;

    private final UUID volume = UUID.randomUUID();
    private final PathId path = new PathId(UUID.randomUUID());

    private JobId open(WorkerApi worker, Duration deadline) {
        return QuarkusTransaction.requiringNew().call(() -> {
            Generation generation = heads.bump(worker.head());
            return jobs.open(
                    JobKind.EXPORT_CREATE,
                    "export something",
                    List.of(new Concern(worker.head(), generation, ObjectKind.VOLUME, volume, Concern.Wanted.READY)),
                    List.of(new PathConcern(worker.head(), generation, path)),
                    deadline);
        });
    }

    private ObjectReport volume(ObjectState state, Optional<Reason> reason) {
        return new ObjectReport(ObjectKind.VOLUME, volume, state, reason, Map.of());
    }

    private PathReport proven() {
        return new PathReport(
                path,
                PathReport.State.PROVEN,
                Optional.empty(),
                Optional.of(new PathReport.Proof(
                        Instant.EPOCH,
                        "127.0.0.1",
                        4420,
                        Optional.of(new PathReport.Authenticated(AuthHash.SHA_256, AuthDhGroup.FFDHE_2048, true)),
                        Optional.of(true),
                        1,
                        1,
                        16,
                        1000,
                        2000)));
    }

    @Test
    void shouldFollowReportsFromPendingToProvenAndShowTheProof() throws Exception {
        WorkerApi worker = WorkerApi.enrolled();
        JobId id = open(worker, Duration.ofMinutes(5));
        HttpRequest events = HttpRequest.newBuilder(url.resolve("/api/v1/jobs/" + id + "/events"))
                .header("Authorization", "Bearer " + Api.administratorToken())
                .header("Accept", "text/event-stream")
                .build();
        List<JsonNode> seen = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient();
                Stream<String> lines =
                        client.send(events, HttpResponse.BodyHandlers.ofLines()).body()) {
            for (String line : (Iterable<String>) lines::iterator) {
                if (!line.startsWith("data:")) {
                    continue;
                }
                JsonNode view = ContractJson.mapper().readTree(line.substring("data:".length()));
                seen.add(view);
                // Each report is sent only after the stream has shown the one before.
                switch (seen.size()) {
                    case 1 ->
                        worker.report(
                                1,
                                1,
                                List.of(volume(
                                        ObjectState.PENDING,
                                        Optional.of(new Reason("pool.slow", "The pool is slow.")))),
                                List.of());
                    case 2 -> worker.report(2, 1, List.of(volume(ObjectState.READY, Optional.empty())), List.of());
                    case 3 ->
                        worker.report(3, 1, List.of(volume(ObjectState.READY, Optional.empty())), List.of(proven()));
                    default -> assertThat(view.path("state").asText()).isEqualTo("SUCCEEDED");
                }
            }
        }

        assertThat(seen).hasSize(4);
        assertThat(seen.get(0).path("progressPercent").asInt()).isZero();
        assertThat(seen.get(1).path("steps").path(0).path("detail").asText()).isEqualTo("The pool is slow.");
        assertThat(seen.get(2).path("progressPercent").asInt()).isEqualTo(50);
        JsonNode shown = seen.get(3).path("result").path("paths").path(0);
        assertThat(shown.path("state").asText()).isEqualTo("PROVEN");
        assertThat(shown.path("proof").path("authentication").path("dhGroup").asText())
                .isEqualTo("ffdhe2048");
        assertThat(shown.path("proof").path("p99Nanos").asLong()).isEqualTo(2000);
    }

    @Test
    void shouldNotWaitForAPathThatNobodyCanTry() {
        WorkerApi worker = WorkerApi.enrolled();
        JobId id = open(worker, Duration.ofMinutes(5));
        Reason reason = new Reason("path.no_initiator", "This head has no initiator for RDMA.");
        worker.report(
                1,
                1,
                List.of(volume(ObjectState.READY, Optional.empty())),
                List.of(new PathReport(path, PathReport.State.UNPROVEN, Optional.of(reason), Optional.empty())));

        Api.asAdministrator()
                .get("/api/v1/jobs/" + id)
                .then()
                .body("state", equalTo("SUCCEEDED"))
                .body("progressPercent", equalTo(100))
                .body("steps[1].state", equalTo("UNPROVEN"))
                .body("steps[1].detail", equalTo(reason.text()))
                .body("result.paths[0].state", equalTo("UNPROVEN"))
                .body("result.paths[0].reason.code", equalTo(reason.code()));
    }

    @Test
    void shouldFailAtTheDeadlineWithTheLastReason() {
        WorkerApi worker = WorkerApi.enrolled();
        JobId id = open(worker, Duration.ofSeconds(2));
        worker.report(
                1,
                1,
                List.of(volume(ObjectState.DEGRADED, Optional.of(new Reason("pool.full", "The pool is full.")))),
                List.of());

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> Api.asAdministrator()
                        .get("/api/v1/jobs/" + id)
                        .then()
                        .body("state", equalTo("FAILED"))
                        .body("failure.code", equalTo("pool.full"))
                        .body("failure.text", equalTo("The pool is full."))
                        .body("steps[0].state", equalTo("FAILED")));
    }

    @Test
    void shouldSucceedAtOnceWithNothingToWaitFor() {
        JobId id = QuarkusTransaction.requiringNew()
                .call(() -> jobs.open(JobKind.VOLUME_DELETE, "nothing", List.of(), List.of(), Duration.ofMinutes(1)));

        Api.asAdministrator()
                .get("/api/v1/jobs/" + id)
                .then()
                .body("state", equalTo("SUCCEEDED"))
                .body("progressPercent", equalTo(100));
    }

    @Test
    void shouldIgnoreWhatWasObservedBeforeTheChange() {
        WorkerApi worker = WorkerApi.enrolled();
        worker.report(1, 0, List.of(volume(ObjectState.READY, Optional.empty())), List.of(proven()));
        JobId id = open(worker, Duration.ofMinutes(5));
        worker.report(2, 0, List.of(volume(ObjectState.READY, Optional.empty())), List.of(proven()));

        assertThat(jobs.get(id).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void shouldPageThroughJobsWithoutSeeingOneTwice() {
        List<String> opened = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            opened.add(open(WorkerApi.enrolled(), Duration.ofMinutes(5)).toString());
        }
        List<String> paged = new ArrayList<>();
        String token = "";
        do {
            var page = Api.asAdministrator()
                    .get("/api/v1/jobs?limit=1" + (token.isEmpty() ? "" : "&pageToken=" + token))
                    .then()
                    .body("items", hasSize(1))
                    .extract();
            paged.add(page.path("items[0].id"));
            token = page.path("nextPageToken");
        } while (token != null);

        assertThat(paged).doesNotHaveDuplicates().containsSubsequence(opened);
    }

    @Test
    void shouldAnswerForAJobThatIsNotThere() {
        for (String suffix : List.of("", "/events")) {
            Api.asAdministrator()
                    .get("/api/v1/jobs/" + UUID.randomUUID() + suffix)
                    .then()
                    .statusCode(404)
                    .body("type", containsString("job.not_found"));
        }
    }
}
