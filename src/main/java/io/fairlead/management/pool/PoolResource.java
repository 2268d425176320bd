package io.fairlead.management.pool;

import io.fairlead.core.PoolId;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/pools}: what heads report; nothing here is changed through the API. */
@Path("/api/v1/pools")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "pools")
public class PoolResource {

    @Inject
    PoolService pools;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<PoolView> list(@BeanParam PageQuery query) {
        return Page.of(
                pools.page(query.after(), query.rowsMax()),
                query,
                pool -> pool.id().value(),
                pool -> pool);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public PoolView get(@PathParam("id") PoolId id) {
        return pools.get(id);
    }
}
