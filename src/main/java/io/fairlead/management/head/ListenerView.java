package io.fairlead.management.head;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import io.fairlead.core.ListenerId;
import java.time.Instant;
import java.util.Optional;

/**
 * A listener as the API shows it.
 *
 * @param trsvcid as asked for; {@code observed.facts.trsvcid} is the port in use
 * @param observed absent before the head has said anything
 */
public record ListenerView(
        ListenerId id,
        HeadId headId,
        Transport transport,
        AddressFamily adrfam,
        String traddr,
        int trsvcid,
        Optional<ObservedView> observed,
        Instant createdAt) {

    static ListenerView of(Listener listener, Optional<ObservedView> observed) {
        return new ListenerView(
                listener.id(),
                listener.headId(),
                listener.transport(),
                listener.adrfam(),
                listener.traddr(),
                listener.trsvcid(),
                observed,
                listener.createdAt());
    }
}
