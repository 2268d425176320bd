package io.fairlead.management.intent;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DriftReport;
import io.fairlead.contract.DriveReport;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.HeadReport;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.platform.Api;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A worker as far as the management plane can tell: what it sends over HTTP. */
public final class WorkerApi {

    private final EnrolmentAnswer enrolment;
    private final String bootId;

    private WorkerApi(EnrolmentAnswer enrolment, String bootId) {
        this.enrolment = enrolment;
        this.bootId = bootId;
    }

    /** A new head with a name of its own. */
    public static WorkerApi enrolled() {
        String token = Api.asAdministrator()
                .body("{}")
                .post("/api/v1/heads/enrolment-tokens")
                .then()
                .statusCode(201)
                .extract()
                .path("token");
        Response answer = enrol(token, "head-" + UUID.randomUUID());
        answer.then().statusCode(201);
        try {
            return new WorkerApi(
                    ContractJson.mapper().readValue(answer.asString(), EnrolmentAnswer.class),
                    UUID.randomUUID().toString());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    static Response enrol(String token, String name) {
        return given().contentType("application/json")
                .body(json(new EnrolmentRequest(token, name, "test")))
                .post("/worker/v1/enrol");
    }

    /** The same head after its worker was started again. */
    public WorkerApi restarted() {
        return new WorkerApi(enrolment, UUID.randomUUID().toString());
    }

    public HeadId head() {
        return enrolment.headId();
    }

    EnrolmentAnswer enrolment() {
        return enrolment;
    }

    RequestSpecification request() {
        return given().auth().oauth2(enrolment.credential()).contentType("application/json");
    }

    public Response desired(long after, int waitSeconds) {
        return request().get("/worker/v1/heads/" + head() + "/desired?after=" + after + "&waitSeconds=" + waitSeconds);
    }

    public Response report(
            long sequence, long generation, List<ObjectReport> objects, List<PathReport> paths, DriveReport... drives) {
        return send(new HeadReport(
                HeadReport.SCHEMA,
                head(),
                bootId,
                sequence,
                Instant.EPOCH,
                new Generation(generation),
                new HeadReport.EngineReport("test", "1", List.of("transport.tcp", "auth.dhchap"), Optional.empty()),
                List.of(drives),
                List.of(),
                objects,
                paths,
                List.<StepReport>of(),
                List.of(),
                Optional.empty(),
                Optional.empty()));
    }

    /** A report that says what the engine cannot do, what is not Fairlead's, and what was changed by somebody else. */
    public Response reportOnEngine(
            long sequence, List<Reason> limits, List<ForeignObject> foreign, List<DriftReport> drift) {
        return send(new HeadReport(
                HeadReport.SCHEMA,
                head(),
                bootId,
                sequence,
                Instant.EPOCH,
                Generation.NONE,
                new HeadReport.EngineReport("test", "1", List.of("transport.tcp"), Optional.of(limits)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.<StepReport>of(),
                List.of(),
                Optional.of(foreign),
                Optional.of(drift)));
    }

    Response send(HeadReport report) {
        return request().body(json(report)).post("/worker/v1/heads/" + head() + "/report");
    }

    static String json(Object value) {
        try {
            return ContractJson.mapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
