package io.fairlead.worker.ledger;

import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
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
     */
    record Facts(Map<ListenerId, Integer> ports, Set<VolumeId> volumes, Map<String, NamespaceId> claims) {

        public static final Facts NONE = new Facts(Map.of(), Set.of(), Map.of());

        public Facts {
            ports = Map.copyOf(ports);
            volumes = Set.copyOf(volumes);
            claims = Map.copyOf(claims);
        }
    }
}
