package io.fairlead.management.drive;

import io.fairlead.core.DriveId;
import io.fairlead.core.HeadId;
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
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/v1/drives}. */
@Path("/api/v1/drives")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "drives")
public class DriveResource {

    @Inject
    DriveService drives;

    /** All drives, or those of one head, or those with alarms. */
    @GET
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public Page<DriveView> list(
            @BeanParam PageQuery query,
            @QueryParam("headId") HeadId headId,
            @QueryParam("alarm")
                    @Parameter(
                            description =
                                    "Only drives with an alarm: true for any, else those whose worst one is of this severity",
                            schema =
                                    @Schema(
                                            type = SchemaType.STRING,
                                            enumeration = {"true", "warning", "critical"}))
                    String alarm) {
        return Page.of(
                drives.page(Optional.ofNullable(headId), AlarmFilter.of(alarm), query),
                query,
                drive -> drive.id().value(),
                DriveView::of);
    }

    @GET
    @Path("/{id}")
    @RolesAllowed({Role.ADMIN, Role.OPERATOR, Role.VIEWER})
    public DriveView get(@PathParam("id") DriveId id) {
        return DriveView.of(drives.get(id));
    }
}
