package io.fairlead.contract;

import io.fairlead.core.ListenerId;
import java.util.Optional;

/**
 * A transport address of this head.
 *
 * @param traddr an IP address in canonical form (RFC 5952 for IPv6, {@code %scope} kept), no brackets
 * @param trsvcid the port, 1 to 65535, or 0: any free port, chosen once by the worker and kept in its ledger
 * @param inCapsuleBytes how much data a command may bring along; absent: as the engine thinks best
 * @param queueSizeMax entries of the largest queue; absent: as the engine thinks best
 */
public record DesiredListener(
        ListenerId id,
        Transport transport,
        AddressFamily adrfam,
        String traddr,
        int trsvcid,
        Optional<Integer> inCapsuleBytes,
        Optional<Integer> queueSizeMax) {}
