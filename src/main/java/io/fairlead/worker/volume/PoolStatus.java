package io.fairlead.worker.volume;

import io.fairlead.contract.Reason;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How far a pool on drives is that shall be there. */
public sealed interface PoolStatus {

    /**
     * The drives may be taken. Nothing has been written to them: that happens when the pool is asked for again with
     * {@link PoolHistory#DRIVES_TAKEN}, once the head has remembered that they are the pool's.
     */
    record Taking(Set<String> identities) implements PoolStatus {
        public Taking {
            identities = Set.copyOf(identities);
        }
    }

    /**
     * It was read back.
     *
     * @param identities of its drives
     * @param facts for people
     * @param trouble what keeps it from being as it shall be, while its volumes can be used; empty: nothing
     */
    record Ready(Set<String> identities, Map<String, String> facts, List<Reason> trouble) implements PoolStatus {
        public Ready {
            identities = Set.copyOf(identities);
            facts = Map.copyOf(facts);
            trouble = List.copyOf(trouble);
        }
    }
}
