package io.fairlead.management.export;

import io.fairlead.core.HostId;
import io.fairlead.platform.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/hosts/{id}/connect-bundle}: of a host, but about what exports let it in. */
@Path("/api/v1/hosts/{id}/connect-bundle")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "hosts")
public class ConnectBundleResource {

    @Inject
    ConnectBundles bundles;

    /** All that this host needs to connect, without its secrets. */
    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public ConnectBundleView get(@PathParam("id") HostId id) {
        return bundles.of(id);
    }
}
