package io.fairlead.management.export;

import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import io.fairlead.core.ListenerId;

/**
 * Where to serve: an existing listener by {@code listenerId}, or the one of an address, which is made when there is none.
 *
 * @param headId left out: the head that holds the data
 * @param transport left out: {@code tcp}
 * @param trsvcid left out: 4420; 0: any free port
 */
public record ExportListenerCreate(
        ListenerId listenerId, HeadId headId, Transport transport, String traddr, Integer trsvcid) {

    boolean isAddress() {
        return headId != null || transport != null || traddr != null || trsvcid != null;
    }
}
