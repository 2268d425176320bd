package io.fairlead.management.host;

import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.security.Role;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/authentication-failures}: refusals of all hosts, also of those that nobody registered. */
@Path("/api/v1/authentication-failures")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "hosts")
public class AuthenticationFailureResource {

    @Inject
    HostService hosts;

    /** What heads refused, newest first. */
    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<AuthenticationFailureView> list(@BeanParam PageQuery query) {
        return hosts.failures(query);
    }
}
