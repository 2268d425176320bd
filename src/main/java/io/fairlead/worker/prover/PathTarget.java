package io.fairlead.worker.prover;

import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.contract.Transport;
import io.fairlead.core.PathId;

/**
 * What is to be proven: that this host finds this subsystem, with exactly these namespaces, at this address.
 *
 * @param traddr where the listener listens; a wildcard is proven through loopback
 * @param trsvcid the port that is really bound; 0: none yet
 */
public record PathTarget(
        PathId id, Transport transport, DesiredHost host, DesiredSubsystem subsystem, String traddr, int trsvcid) {}
