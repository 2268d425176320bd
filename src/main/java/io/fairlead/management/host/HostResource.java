package io.fairlead.management.host;

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
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/hosts}. Secrets are taken and, where Fairlead made them, shown in the one answer to the POST; no GET has them. */
@Path("/api/v1/hosts")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "hosts")
public class HostResource {

    @Inject
    HostService hosts;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<HostView> list(
            @BeanParam PageQuery query,
            @QueryParam("nqn") @Parameter(description = "Only the host of this NQN, compared whole") String nqn) {
        return Page.of(
                hosts.page(query.after(), query.rowsMax(), Optional.ofNullable(nqn)),
                query,
                host -> host.id().value(),
                host -> host);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = HostView.class)))
    public Response get(@PathParam("id") HostId id) {
        HostView host = hosts.get(id);
        return Response.ok(host).tag(new RowVersion(host.version()).tag()).build();
    }

    /** Registers a host. A secret in the answer is shown this once; a repetition with the same Idempotency-Key shows it again. */
    @POST
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = HostCreatedView.class)))
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, HostCreate create) {
        return posts.once(() -> {
            HostCreatedView created = hosts.create(create);
            return Response.created(URI.create("/api/v1/hosts/" + created.host().id()))
                    .tag(new RowVersion(created.host().version()).tag())
                    .entity(created)
                    .build();
        });
    }

    /** Changes the name or how the host authenticates; keys have an address of their own. */
    @PATCH
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(
            responseCode = "200",
            description = "No head has to know",
            content = @Content(schema = @Schema(implementation = HostAccepted.class)))
    @APIResponse(
            responseCode = "202",
            description = "The heads that serve the host follow",
            content = @Content(schema = @Schema(implementation = HostAccepted.class)))
    public Response update(@PathParam("id") HostId id, @HeaderParam("If-Match") String ifMatch, HostUpdate update) {
        HostAccepted accepted = hosts.update(id, update, ifMatch);
        Response.ResponseBuilder answer = accepted.jobId() == null
                ? Response.ok()
                : Response.accepted().location(URI.create("/api/v1/jobs/" + accepted.jobId()));
        return answer.entity(accepted)
                .tag(new RowVersion(accepted.host().version()).tag())
                .build();
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "204")
    public Response delete(@PathParam("id") HostId id, @HeaderParam("If-Match") String ifMatch) {
        hosts.delete(id, ifMatch);
        return Response.noContent().build();
    }

    /** Replaces the host's keys at once; heads that serve the host take them over with the job in the answer. */
    @POST
    @Path("/{id}/keys")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(
            responseCode = "201",
            description = "No head serves the host",
            content = @Content(schema = @Schema(implementation = HostKeysCreatedView.class)))
    @APIResponse(
            responseCode = "202",
            description = "The heads that serve the host follow",
            content = @Content(schema = @Schema(implementation = HostKeysCreatedView.class)))
    public Response createKeys(
            @PathParam("id") HostId id, @HeaderParam("Idempotency-Key") String idempotencyKey, HostKeysCreate create) {
        return posts.once(() -> {
            HostKeysCreatedView created = hosts.replaceKeys(id, create);
            Response.ResponseBuilder answer = created.jobId() == null
                    ? Response.status(Response.Status.CREATED)
                    : Response.accepted().location(URI.create("/api/v1/jobs/" + created.jobId()));
            return answer.entity(created).build();
        });
    }

    /** What heads refused this host, newest first. */
    @GET
    @Path("/{id}/authentication-failures")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<AuthenticationFailureView> authenticationFailures(
            @PathParam("id") HostId id, @BeanParam PageQuery query) {
        return hosts.failuresOf(id, query);
    }
}
