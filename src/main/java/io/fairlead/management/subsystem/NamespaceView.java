package io.fairlead.management.subsystem;

import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.DriveId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.VolumeId;
import java.util.UUID;

/**
 * A namespace with the identity that it keeps for ever, and what its head last said of it.
 *
 * @param state absent while no head serves it
 */
public record NamespaceView(
        NamespaceId id,
        long nsid,
        UUID uuid,
        String nguid,
        String eui64,
        long sizeBytes,
        int lbaBytes,
        long anaGroup,
        VolumeId volumeId,
        DriveId driveId,
        ObjectState state,
        Reason reason) {}
