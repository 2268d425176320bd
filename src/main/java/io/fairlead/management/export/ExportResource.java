package io.fairlead.management.export;

import io.fairlead.core.ExportId;
import io.fairlead.core.HostId;
import io.fairlead.platform.IdempotentPosts;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
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
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/exports}. */
@Path("/api/v1/exports")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "exports")
public class ExportResource {

    @Inject
    ExportService exports;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<ExportView> list(@BeanParam PageQuery query) {
        return Page.of(exports.page(query), query, export -> export.id().value(), export -> export);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = ExportView.class)))
    public Response get(@PathParam("id") ExportId id) {
        ExportView export = exports.get(id);
        return Response.ok(export).tag(new RowVersion(export.version()).tag()).build();
    }

    /** The whole main job in one request: makes what is not there yet, exports it, and has each path proven. */
    @POST
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = ExportAccepted.class)))
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, ExportCreate create) {
        return Deadlocks.retry(() -> posts.once(() -> accepted(exports.create(create))));
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = ExportAccepted.class)))
    public Response delete(@PathParam("id") ExportId id, @HeaderParam("If-Match") String ifMatch) {
        return accepted(exports.delete(id, ifMatch));
    }

    @POST
    @Path("/{id}/hosts")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = ExportAccepted.class)))
    public Response addHost(
            @PathParam("id") ExportId id,
            @HeaderParam("Idempotency-Key") String idempotencyKey,
            ExportHostCreate create) {
        return Deadlocks.retry(() -> posts.once(() -> accepted(exports.addHost(id, create))));
    }

    /** {@code If-Match} is about the export. */
    @DELETE
    @Path("/{id}/hosts/{hostId}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = ExportAccepted.class)))
    public Response removeHost(
            @PathParam("id") ExportId id, @PathParam("hostId") HostId hostId, @HeaderParam("If-Match") String ifMatch) {
        return accepted(exports.removeHost(id, hostId, ifMatch));
    }

    private static Response accepted(ExportAccepted accepted) {
        return Response.accepted(accepted)
                .location(URI.create("/api/v1/jobs/" + accepted.jobId()))
                .tag(new RowVersion(accepted.export().version()).tag())
                .build();
    }
}
