package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import java.util.UUID;

/**
 * A transport address through which hosts come in, as discovery advertises it.
 *
 * @param id whatever the caller identifies the listener by
 * @param portId 1 to 65535, stable for this address as long as it exists
 * @param trsvcid the port that is really bound
 */
public record ListenerAddress(
        UUID id,
        int portId,
        FabricTransportType transport,
        FabricAddressFamily adrfam,
        String traddr,
        String trsvcid) {}
