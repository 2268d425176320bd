package io.fairlead.management.head;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.DesiredListener;
import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import io.fairlead.core.ListenerId;
import java.time.Instant;
import java.util.Optional;

/**
 * A transport address of a head.
 *
 * @param traddr canonical
 * @param trsvcid 0: the worker chooses a free port once and keeps it
 */
public record Listener(
        ListenerId id,
        HeadId headId,
        Transport transport,
        AddressFamily adrfam,
        String traddr,
        int trsvcid,
        long version,
        Instant createdAt) {

    public DesiredListener desired() {
        return new DesiredListener(id, transport, adrfam, traddr, trsvcid, Optional.empty(), Optional.empty());
    }
}
