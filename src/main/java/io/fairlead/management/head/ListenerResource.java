package io.fairlead.management.head;

import io.fairlead.core.ListenerId;
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
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/listeners}. */
@Path("/api/v1/listeners")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "listeners")
public class ListenerResource {

    @Inject
    ListenerService listeners;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<ListenerView> list(@BeanParam PageQuery query) {
        return Page.of(listeners.page(query), query, listener -> listener.id().value(), listeners::view);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = ListenerView.class)))
    public Response get(@PathParam("id") ListenerId id) {
        Listener listener = listeners.get(id);
        return Response.ok(listeners.view(listener))
                .tag(new RowVersion(listener.version()).tag())
                .build();
    }

    @POST
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "201", content = @Content(schema = @Schema(implementation = ListenerView.class)))
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, @Valid ListenerCreate create) {
        return posts.once(() -> {
            Listener listener = listeners.create(create);
            return Response.created(URI.create("/api/v1/listeners/" + listener.id()))
                    .tag(new RowVersion(listener.version()).tag())
                    .entity(listeners.view(listener))
                    .build();
        });
    }

    @DELETE
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "204")
    public Response delete(@PathParam("id") ListenerId id, @HeaderParam("If-Match") String ifMatch) {
        listeners.delete(id, ifMatch);
        return Response.noContent().build();
    }
}
