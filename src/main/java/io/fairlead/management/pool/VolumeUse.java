package io.fairlead.management.pool;

import io.fairlead.core.NamespaceId;
import io.fairlead.core.VolumeId;
import java.util.Optional;

/** What builds on volumes. Called in the transaction of the change. */
public interface VolumeUse {

    /** The NQN of the subsystem that has the volume as a namespace. */
    Optional<String> usedBy(VolumeId volume);

    /** The namespace on the volume, if a head serves it: it has to follow when the volume grows. */
    Optional<NamespaceId> namespaceOn(VolumeId volume);
}
