package io.fairlead.management.job;

import io.fairlead.core.JobId;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.security.Role;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestStreamElementType;

/** {@code /api/v1/jobs}. */
@Path("/api/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "jobs")
public class JobResource {

    @Inject
    JobService jobs;

    @Inject
    JobEvents events;

    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<JobView> list(@BeanParam PageQuery query) {
        return Page.of(jobs.page(query), query, job -> job.id().value(), job -> job);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public JobView get(@PathParam("id") JobId id) {
        return jobs.get(id);
    }

    /** The job on each of its changes, as server-sent events; the stream ends with the job. */
    @GET
    @Path("/{id}/events")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RestStreamElementType(MediaType.APPLICATION_JSON)
    @Blocking
    public Multi<JobView> events(@PathParam("id") JobId id) {
        jobs.get(id);
        return events.of(id);
    }
}
