package io.fairlead.management.intent;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.contract.HeadReport;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.management.head.EnrolmentService;
import io.fairlead.platform.security.Role;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * {@code /worker/v1}: what a worker calls. Bodies are read and written by {@link ContractJson}, which is the worker's JSON too, not by
 * the strict one of the public API. Thread: a virtual one per request, since most of them wait.
 */
@Path("/worker/v1")
@Tag(name = "worker")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class WorkerResource {

    private static final long WAIT_SECONDS_MAX = 60;

    @Inject
    EnrolmentService enrolments;

    @Inject
    IntentService intents;

    @Inject
    ReportService reports;

    @Inject
    SecurityIdentity identity;

    /** Open to everybody: the one-time token in the body is the credential. */
    @POST
    @Path("/enrol")
    @PermitAll
    @RequestBody(content = @Content(schema = @Schema(implementation = EnrolmentRequest.class)))
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = EnrolmentAnswer.class)))
    public Response enrol(String body) {
        EnrolmentRequest request = read(body, EnrolmentRequest.class);
        require(request.token(), "/token");
        require(request.name(), "/name");
        return Response.status(Response.Status.CREATED)
                .entity(write(enrolments.enrol(request)))
                .build();
    }

    /** The desired state as soon as it is newer than {@code after}; 204 when it is not within {@code waitSeconds}. */
    @GET
    @Path("/heads/{id}/desired")
    @RolesAllowed(Role.HEAD)
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = DesiredState.class)))
    @APIResponse(responseCode = "204", description = "Nothing newer")
    public Response desired(
            @PathParam("id") HeadId id,
            @QueryParam("after") String after,
            @QueryParam("waitSeconds") String waitSeconds) {
        requireSelf(id);
        Generation known = new Generation(number("?after", after, Long.MAX_VALUE));
        Duration patience = Duration.ofSeconds(number("?waitSeconds", waitSeconds, WAIT_SECONDS_MAX));
        try {
            return intents.await(id, known, patience)
                    .map(state -> Response.ok(write(state)).build())
                    .orElseGet(() -> Response.noContent().build());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.noContent().build();
        }
    }

    /** What the head observes; may be repeated, and a late one changes nothing. */
    @POST
    @Path("/heads/{id}/report")
    @RolesAllowed(Role.HEAD)
    @RequestBody(content = @Content(schema = @Schema(implementation = HeadReport.class)))
    @APIResponse(responseCode = "204")
    public Response report(@PathParam("id") HeadId id, String body) {
        requireSelf(id);
        HeadReport report = read(body, HeadReport.class);
        require(report.headId(), "/headId");
        require(report.bootId(), "/bootId");
        require(report.generation(), "/generation");
        require(report.engine(), "/engine");
        requireSelf(report.headId());
        if (report.schema() != HeadReport.SCHEMA) {
            throw Failure.ofField(
                    FailureCode.REQUEST_UNSUPPORTED,
                    "/schema",
                    "This management plane reads schema " + HeadReport.SCHEMA + ".");
        }
        reports.take(report);
        return Response.noContent().build();
    }

    /** A head speaks for itself only. */
    private void requireSelf(HeadId id) {
        if (!identity.getPrincipal().getName().equals(id.toString())) {
            throw Failure.of(FailureCode.REQUEST_FORBIDDEN, "This credential is another head's.");
        }
    }

    private static void require(Object value, String pointer) {
        if (value == null) {
            throw Failure.ofField(FailureCode.REQUEST_INVALID, pointer, "This field is required.");
        }
    }

    private static long number(String pointer, String text, long max) {
        if (text == null) {
            return 0;
        }
        try {
            long value = Long.parseLong(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw notANumber(pointer, max).because("", e);
        }
        throw notANumber(pointer, max);
    }

    private static Failure notANumber(String pointer, long max) {
        return Failure.ofField(FailureCode.REQUEST_INVALID, pointer, "Send a number from 0 to " + max + ".");
    }

    private static <T> T read(String body, Class<T> type) {
        try {
            T value = ContractJson.mapper().readValue(body, type);
            if (value == null) {
                throw Failure.of(
                        FailureCode.REQUEST_MALFORMED, "Send a JSON object as the body of this request, not null.");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw io.fairlead.platform.ProblemMapper.failureOf(e);
        }
    }

    private static String write(Object value) {
        try {
            return ContractJson.mapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer that cannot be written", e);
        }
    }
}
