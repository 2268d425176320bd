package io.fairlead.management.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;

import io.fairlead.contract.DriveReport;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.management.head.HeadService;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class WorkerResourceTest {

    @Inject
    HeadService heads;

    @Test
    void shouldEnrolOnceWithTheTokenOfTheLocalHead() {
        String token = Api.localEnrolmentToken();

        WorkerApi.enrol(token, "local").then().statusCode(201);

        WorkerApi.enrol(token, "local-again")
                .then()
                .statusCode(403)
                .body("type", containsString("head.enrolment_token"));
    }

    @Test
    void shouldLetOnlyOneOfManyUseATokenAtTheSameMoment() throws Exception {
        String token = Api.asAdministrator()
                .body("{}")
                .post("/api/v1/heads/enrolment-tokens")
                .path("token");
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService racers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String name = "racer-" + i;
                answers.add(racers.submit(() -> WorkerApi.enrol(token, name).statusCode()));
            }
            for (Future<Integer> answer : answers) {
                statuses.add(answer.get());
            }
        }

        assertThat(statuses).containsOnlyOnce(201);
        assertThat(statuses.stream().filter(status -> status == 403)).hasSize(7);
    }

    @Test
    void shouldGiveDisjointControllerIdsToTwoHeads() {
        var one = WorkerApi.enrolled().enrolment().cntlids();
        var other = WorkerApi.enrolled().enrolment().cntlids();

        assertThat(one.last() < other.first() || other.last() < one.first()).isTrue();
    }

    @Test
    void shouldLetAHeadSpeakForItselfOnly() {
        WorkerApi one = WorkerApi.enrolled();
        WorkerApi other = WorkerApi.enrolled();

        one.request()
                .get("/worker/v1/heads/" + other.head() + "/desired")
                .then()
                .statusCode(403);
        one.request().get("/api/v1/heads").then().statusCode(403);
        Api.asAdministrator()
                .get("/worker/v1/heads/" + one.head() + "/desired")
                .then()
                .statusCode(403);
    }

    @Test
    void shouldWakeAWaitingPollWhenTheDesiredStateChanges() throws Exception {
        WorkerApi worker = WorkerApi.enrolled();
        worker.desired(0, 0).then().statusCode(204);
        CompletableFuture<Response> poll = CompletableFuture.supplyAsync(() -> worker.desired(0, 50));

        Api.asAdministrator()
                .body(Map.of("headId", worker.head().toString(), "transport", "tcp", "traddr", "[::1]"))
                .post("/api/v1/listeners")
                .then()
                .statusCode(201);

        poll.get()
                .then()
                .statusCode(200)
                .body("generation", equalTo(1))
                .body("listeners", hasSize(1))
                .body("listeners[0].traddr", equalTo("::1"))
                .body("listeners[0].adrfam", equalTo("ipv6"))
                .body("listeners[0].trsvcid", equalTo(4420));
    }

    @Test
    void shouldCountEachOfManyParallelChanges() throws Exception {
        WorkerApi worker = WorkerApi.enrolled();
        List<Long> generations = new ArrayList<>();
        try (ExecutorService writers = Executors.newFixedThreadPool(8)) {
            List<Future<Long>> bumps = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                bumps.add(writers.submit(() -> QuarkusTransaction.requiringNew()
                        .call(() -> heads.bump(worker.head()).value())));
            }
            for (Future<Long> bump : bumps) {
                generations.add(bump.get());
            }
        }

        assertThat(generations)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 64).boxed().toList());
    }

    @Test
    void shouldDropALateReportAndOneOfAnEarlierBoot() {
        WorkerApi worker = WorkerApi.enrolled();
        WorkerApi later = worker.restarted();

        worker.report(2, 0, List.of(), List.of(), drive("file.a", 1)).then().statusCode(204);
        worker.report(1, 0, List.of(), List.of()).then().statusCode(204);
        drivesOf(worker).body("items[0].state", equalTo("PRESENT"));

        later.report(1, 0, List.of(), List.of(), drive("file.a", 2)).then().statusCode(204);
        worker.report(3, 0, List.of(), List.of()).then().statusCode(204);
        drivesOf(worker).body("items[0].state", equalTo("PRESENT")).body("items[0].sizeBytes", equalTo(2));
    }

    @Test
    void shouldKeepADriveThatIsNoLongerReportedAsMissing() {
        WorkerApi worker = WorkerApi.enrolled();
        worker.report(1, 0, List.of(), List.of(), drive("file.a", 1), drive("file.b", 1));
        String first = "items.find { it.identity == 'file.a' }";
        String id = drivesOf(worker).extract().path(first + ".id");

        worker.report(2, 0, List.of(), List.of(), drive("file.b", 1)).then().statusCode(204);
        drivesOf(worker)
                .body(first + ".state", equalTo("MISSING"))
                .body("items.find { it.identity == 'file.b' }.state", equalTo("PRESENT"));

        worker.report(3, 0, List.of(), List.of(), drive("file.b", 1), drive("file.a", 1));
        drivesOf(worker).body("items.state", contains("PRESENT", "PRESENT")).body(first + ".id", equalTo(id));
    }

    @Test
    void shouldShowWhatAHeadReports() {
        WorkerApi worker = WorkerApi.enrolled();
        Api.asAdministrator().get("/api/v1/heads/" + worker.head()).then().body("state", equalTo("ENROLLED"));
        String listener = Api.asAdministrator()
                .body(Map.of(
                        "headId", worker.head().toString(), "transport", "tcp", "traddr", "127.0.0.1", "trsvcid", 0))
                .post("/api/v1/listeners")
                .path("id");

        worker.report(
                        1,
                        1,
                        List.of(new ObjectReport(
                                ObjectKind.LISTENER,
                                java.util.UUID.fromString(listener),
                                ObjectState.READY,
                                Optional.empty(),
                                Map.of("trsvcid", "40123"))),
                        List.of())
                .then()
                .statusCode(204);

        Api.asAdministrator()
                .get("/api/v1/heads/" + worker.head())
                .then()
                .body("state", equalTo("ONLINE"))
                .body("observedGeneration", equalTo(1))
                .body("engine.capabilities", contains("transport.tcp", "auth.dhchap"));
        Api.asAdministrator()
                .get("/api/v1/listeners/" + listener)
                .then()
                .body("observed.state", equalTo("READY"))
                .body("observed.facts.trsvcid", equalTo("40123"));
    }

    @Test
    void shouldRefuseAReportAboutAGenerationThatWasNeverWritten() {
        WorkerApi.enrolled()
                .report(1, 7, List.of(), List.of())
                .then()
                .statusCode(409)
                .body("type", containsString("head.generation_stale"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                      | 400 | request.malformed",
                "{}                                     | 400 | request.wrong_type",
                "{\"token\":\"x\",\"version\":\"1\"}    | 400 | request.wrong_type",
                "{\"token\":1,\"name\":[],\"version\":\"1\"} | 400 | request.wrong_type",
                "{\"token\":\"x\",\"name\":\"A b\",\"version\":\"1\"} | 422 | request.invalid",
                "{\"token\":\"x\",\"name\":\"a\",\"version\":\"1\"} | 403 | head.enrolment_token",
                "null                                   | 400 | request.malformed",
            })
    void shouldExplainABadEnrolment(String body, int status, String code) {
        io.restassured.RestAssured.given()
                .contentType("application/json")
                .body(body)
                .post("/worker/v1/enrol")
                .then()
                .statusCode(status)
                .body("type", containsString(code));
    }

    @ParameterizedTest
    @CsvSource({"after,x", "after,-1", "waitSeconds,61", "waitSeconds,x"})
    void shouldExplainABadPoll(String name, String value) {
        WorkerApi worker = WorkerApi.enrolled();
        worker.request()
                .queryParam(name, value)
                .get("/worker/v1/heads/" + worker.head() + "/desired")
                .then()
                .statusCode(422)
                .body("errors[0].pointer", equalTo("?" + name));
    }

    @Test
    void shouldExplainAReportWithoutItsParts() {
        WorkerApi worker = WorkerApi.enrolled();
        worker.request()
                .body("{\"schema\":1}")
                .post("/worker/v1/heads/" + worker.head() + "/report")
                .then()
                .statusCode(400)
                .body("type", notNullValue());
    }

    private static io.restassured.response.ValidatableResponse drivesOf(WorkerApi worker) {
        return Api.asAdministrator()
                .get("/api/v1/drives?headId=" + worker.head())
                .then()
                .statusCode(200);
    }

    private static DriveReport drive(String identity, long sizeBytes) {
        return new DriveReport(
                identity,
                "file",
                identity,
                "model",
                "serial",
                sizeBytes,
                512,
                DriveReport.Rotation.UNKNOWN,
                List.of(),
                Optional.empty(),
                Optional.empty());
    }
}
