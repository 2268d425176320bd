package io.fairlead.management.export;

import io.fairlead.core.ExportId;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;
import java.time.Instant;

/**
 * A subsystem served on listeners to hosts.
 *
 * @param headId where the subsystem's data and all of the listeners are
 * @param version of the row, for the entity tag
 */
record Export(
        ExportId id,
        String name,
        SubsystemId subsystemId,
        HeadId headId,
        long version,
        Instant createdAt,
        Instant updatedAt) {

    /** One host on one listener. */
    record Path(PathId id, ExportId exportId, HostId hostId, ListenerId listenerId) {}
}
