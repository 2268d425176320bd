package io.fairlead.management.pool;

import io.fairlead.core.VolumeId;
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

/** {@code /api/v1/volumes}. */
@Path("/api/v1/volumes")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "volumes")
public class VolumeResource {

    @Inject
    VolumeService volumes;

    @Inject
    IdempotentPosts posts;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<VolumeView> list(@BeanParam PageQuery query) {
        return Page.of(
                volumes.page(query.after(), query.rowsMax()),
                query,
                volume -> volume.id().value(),
                volume -> volume);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @APIResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = VolumeView.class)))
    public Response get(@PathParam("id") VolumeId id) {
        VolumeView volume = volumes.get(id);
        return Response.ok(volume).tag(new RowVersion(volume.version()).tag()).build();
    }

    /** Carves a volume from a pool. */
    @POST
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = VolumeAccepted.class)))
    public Response create(@HeaderParam("Idempotency-Key") String idempotencyKey, VolumeCreate create) {
        return posts.once(() -> accepted(volumes.create(create)));
    }

    /** Grows a volume; hosts that are connected notice. A volume is never made smaller. */
    @PATCH
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = VolumeAccepted.class)))
    public Response update(@PathParam("id") VolumeId id, @HeaderParam("If-Match") String ifMatch, VolumeUpdate update) {
        return accepted(volumes.update(id, update, ifMatch));
    }

    /** Destroys a volume with its data. */
    @DELETE
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR})
    @APIResponse(responseCode = "202", content = @Content(schema = @Schema(implementation = VolumeAccepted.class)))
    public Response delete(@PathParam("id") VolumeId id, @HeaderParam("If-Match") String ifMatch) {
        return accepted(volumes.delete(id, ifMatch));
    }

    private static Response accepted(VolumeAccepted accepted) {
        return Response.accepted(accepted)
                .location(URI.create("/api/v1/jobs/" + accepted.jobId()))
                .tag(new RowVersion(accepted.volume().version()).tag())
                .build();
    }
}
