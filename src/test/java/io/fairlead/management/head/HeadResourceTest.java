package io.fairlead.management.head;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.fairlead.contract.DriftReport;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.Reason;
import io.fairlead.management.intent.WorkerApi;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class HeadResourceTest {

    @Test
    void shouldLockOutAHeadThatWasDeleted() {
        WorkerApi worker = WorkerApi.enrolled();
        String address = "/api/v1/heads/" + worker.head();
        String tag = Api.asAdministrator().get(address).header("ETag");

        Api.asAdministrator().delete(address).then().statusCode(428);
        Api.asAdministrator().header("If-Match", tag).delete(address).then().statusCode(204);

        Api.asAdministrator().get(address).then().statusCode(404);
        worker.desired(0, 0).then().statusCode(401);
    }

    @Test
    void shouldShowWhatTheEngineCannotDoAndWhatIsNotFairleads() {
        WorkerApi worker = WorkerApi.enrolled();
        Reason limit = new Reason("transport.rdma", "This head has no RDMA device.");
        ForeignObject port = new ForeignObject("port", "7", "A port that Fairlead did not make.");

        worker.reportOnEngine(1, List.of(limit), List.of(port), List.of())
                .then()
                .statusCode(204);

        Api.asAdministrator()
                .get("/api/v1/heads/" + worker.head())
                .then()
                .statusCode(200)
                .body("engine.limits.code", contains(limit.code()))
                .body("engine.limits.text", contains(limit.text()))
                .body("foreign.name", contains("7"))
                .body("foreign.detail", contains(port.detail()));
        worker.reportOnEngine(2, List.of(), List.of(), List.of()).then().statusCode(204);
        Api.asAdministrator()
                .get("/api/v1/heads/" + worker.head())
                .then()
                .body("engine.limits", empty())
                .body("foreign", empty());
    }

    @Test
    void shouldKeepEachDriftOnceHoweverOftenItIsToldAndShowTheNewestFirst() {
        WorkerApi worker = WorkerApi.enrolled();
        DriftReport older = drift(Instant.parse("2026-12-01T00:00:00Z"), Optional.empty());
        DriftReport newer = drift(
                Instant.parse("2026-12-01T00:00:01Z"), Optional.of(new Reason("engine.busy", "The kernel says no.")));
        String address = "/api/v1/heads/" + worker.head() + "/drift";
        Api.asAdministrator().get(address).then().statusCode(200).body("items", empty());

        worker.reportOnEngine(1, List.of(), List.of(), List.of(older)).then().statusCode(204);
        worker.reportOnEngine(2, List.of(), List.of(), List.of(older, newer))
                .then()
                .statusCode(204);

        String token = Api.asAdministrator()
                .get(address + "?limit=1")
                .then()
                .body("items.id", contains(newer.id().toString()))
                .body("items[0].repaired", equalTo(false))
                .body("items[0].reason.code", equalTo("engine.busy"))
                .extract()
                .path("nextPageToken");
        Api.asAdministrator()
                .get(address + "?limit=1&pageToken=" + token)
                .then()
                .body("items.id", contains(older.id().toString()))
                .body("items[0].repaired", equalTo(true))
                .body("items[0].name", equalTo("nqn.2026-01.io.fairlead:a"))
                .body("items[0].differences.field", contains("serial"))
                .body("items[0].differences.wanted", contains("A"))
                .body("items[0].differences.found", contains("B"))
                .body("nextPageToken", nullValue());
        Api.asAdministrator()
                .get("/api/v1/heads/" + UUID.randomUUID() + "/drift")
                .then()
                .statusCode(404);
    }

    private static DriftReport drift(Instant seenAt, Optional<Reason> reason) {
        return new DriftReport(
                UUID.randomUUID(),
                seenAt,
                ObjectKind.SUBSYSTEM,
                UUID.randomUUID(),
                "nqn.2026-01.io.fairlead:a",
                List.of(new DriftReport.Difference("serial", "A", "B")),
                "set subsystem nqn.2026-01.io.fairlead:a",
                reason.isEmpty(),
                reason);
    }

    @Test
    void shouldListHeadsAndTellOfOneThatIsNotThere() {
        WorkerApi worker = WorkerApi.enrolled();

        Api.asAdministrator()
                .get("/api/v1/heads?limit=500")
                .then()
                .statusCode(200)
                .body("items.find { it.id == '" + worker.head() + "' }.state", equalTo("ENROLLED"));
        Api.asAdministrator().get("/api/v1/heads/" + UUID.randomUUID()).then().statusCode(404);
    }
}
