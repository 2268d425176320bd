package io.fairlead.management.subsystem;

import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
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
import jakarta.ws.rs.PATCH;
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

/** {@code /api/v1/subsystems} with their namespaces. */
@Path("/api/v1/subsystems")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "subsystems")
public class SubsystemResource {

    @Inject
    SubsystemService subsystems;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<SubsystemView> list(@BeanParam PageQuery query) {
        return Page.of(
                subsystems.page(query.after(), query.rowsMax()),
                query,
                subsystem -> subsystem.id().value(),
                subsystem -> subsystem);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = SubsystemView.class)))
    public Response get(@PathParam("id") SubsystemId id) {
        SubsystemView subsystem = subsystems.get(id);
        return Response.ok(subsystem)
                .tag(new RowVersion(subsystem.version()).tag())
                .build();
    }

    /** Makes a subsystem that nobody serves yet; an export does. */
    @POST
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = SubsystemView.class)))
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, SubsystemCreate create) {
        return posts.once(() -> {
            SubsystemView created = subsystems.create(create);
            return Response.created(URI.create("/api/v1/subsystems/" + created.id()))
                    .tag(new RowVersion(created.version()).tag())
                    .entity(created)
                    .build();
        });
    }

    /** Opens a subsystem to any host, or closes it again. */
    @PATCH
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(
            responseCode = "200",
            description = "No head serves it",
            content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    public Response update(
            @PathParam("id") SubsystemId id, @HeaderParam("If-Match") String ifMatch, SubsystemUpdate update) {
        return answer(subsystems.update(id, update, ifMatch), Response.Status.OK);
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "204")
    public Response delete(@PathParam("id") SubsystemId id, @HeaderParam("If-Match") String ifMatch) {
        subsystems.delete(id, ifMatch);
        return Response.noContent().build();
    }

    @POST
    @Path("/{id}/namespaces")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(
            responseCode = "201",
            description = "No head serves the subsystem",
            content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    public Response addNamespace(
            @PathParam("id") SubsystemId id,
            @HeaderParam("Idempotency-Key") String idempotencyKey,
            NamespaceCreate create) {
        return posts.once(() -> answer(subsystems.addNamespace(id, create), Response.Status.CREATED));
    }

    /** Removes a namespace; its volume or drive stays, with the data. {@code If-Match} is about the subsystem. */
    @DELETE
    @Path("/{id}/namespaces/{namespaceId}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(
            responseCode = "200",
            description = "No head serves the subsystem",
            content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = SubsystemAccepted.class)))
    public Response removeNamespace(
            @PathParam("id") SubsystemId id,
            @PathParam("namespaceId") NamespaceId namespaceId,
            @HeaderParam("If-Match") String ifMatch) {
        return answer(subsystems.removeNamespace(id, namespaceId, ifMatch), Response.Status.OK);
    }

    private static Response answer(SubsystemAccepted accepted, Response.Status unserved) {
        Response.ResponseBuilder answer = accepted.jobId() == null
                ? Response.status(unserved)
                : Response.accepted().location(URI.create("/api/v1/jobs/" + accepted.jobId()));
        return answer.entity(accepted)
                .tag(new RowVersion(accepted.subsystem().version()).tag())
                .build();
    }
}
