package io.fairlead.worker.ledger;

import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import java.util.Map;
import java.util.Set;

/** What a head keeps beside its desired state, so that a restart changes nothing; the ledger is behind it. */
public interface HeadMemory {

    Facts recall();

    /** Returns when the facts would survive a power cut. */
    void remember(Facts facts);

    /**
     * The facts.
     *
     * @param ports that were chosen for listeners at port 0
     * @param volumes that were whole once
     * @param claims by drive identity: which namespace was allowed to take the drive. From then on the drive's content is that of
     *     hosts, and a signature on it no longer means that it is somebody else's
     * @param poolDrives by drive identity: which pool was allowed to take the drive
     * @param pools on drives that were whole once
     */
    record Facts(
            Map<ListenerId, Integer> ports,
            Set<VolumeId> volumes,
            Map<String, NamespaceId> claims,
            Map<String, PoolId> poolDrives,
            Set<PoolId> pools) {

        public static final Facts NONE = new Facts(Map.of(), Set.of(), Map.of(), Map.of(), Set.of());

        public Facts {
            ports = Map.copyOf(ports);
            volumes = Set.copyOf(volumes);
            claims = Map.copyOf(claims);
            poolDrives = Map.copyOf(poolDrives);
            pools = Set.copyOf(pools);
        }

        public Facts withServed(Map<ListenerId, Integer> newPorts, Set<VolumeId> newVolumes) {
            return new Facts(newPorts, newVolumes, claims, poolDrives, pools);
        }

        public Facts withClaims(Map<String, NamespaceId> newClaims) {
            return new Facts(ports, volumes, newClaims, poolDrives, pools);
        }

        public Facts withPools(Map<String, PoolId> newPoolDrives, Set<PoolId> newPools) {
            return new Facts(ports, volumes, claims, newPoolDrives, newPools);
        }
    }
}
