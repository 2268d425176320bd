package io.fairlead.management.head;

import io.fairlead.core.HeadId;
import io.fairlead.platform.IdempotentPosts;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.validation.Valid;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/heads}. */
@Path("/api/v1/heads")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "heads")
public class HeadResource {

    @Inject
    HeadService heads;

    @Inject
    EnrolmentService enrolments;

    @Inject
    DriftService drift;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<HeadView> list(@BeanParam PageQuery query) {
        return Page.of(heads.page(query), query, head -> head.id().value(), this::view);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = HeadView.class)))
    public Response get(@PathParam("id") HeadId id) {
        Head head = heads.get(id);
        return Response.ok(view(head)).tag(new RowVersion(head.version()).tag()).build();
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed(Role.ADMIN)
    @APIResponse(responseCode = "204")
    public Response delete(@PathParam("id") HeadId id, @HeaderParam("If-Match") String ifMatch) {
        heads.delete(id, ifMatch);
        return Response.noContent().build();
    }

    /** What something else than Fairlead changed on the head, newest first. */
    @GET
    @Path("/{id}/drift")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<DriftView> drift(@PathParam("id") HeadId id, @BeanParam PageQuery query) {
        return drift.page(id, query);
    }

    /** A one-time token with which a worker may enrol; shown this once. */
    @POST
    @Path("/enrolment-tokens")
    @RolesAllowed(Role.ADMIN)
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = EnrolmentTokenView.class)))
    public Response createEnrolmentToken(
            @HeaderParam("Idempotency-Key") String idempotencyKey, @Valid EnrolmentTokenCreate create) {
        return posts.once(() -> Response.status(Response.Status.CREATED)
                .entity(enrolments.createToken(create))
                .build());
    }

    private HeadView view(Head head) {
        return HeadView.of(head, heads.stateOf(head));
    }
}
