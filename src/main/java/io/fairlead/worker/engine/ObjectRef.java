package io.fairlead.worker.engine;

import io.fairlead.contract.ObjectKind;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PoolId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import java.util.UUID;

/** Names one object whose state a head reports. */
record ObjectRef(ObjectKind kind, UUID id) {

    static ObjectRef of(Step step) {
        return new ObjectRef(step.kind(), step.objectId());
    }

    static ObjectRef of(VolumeId id) {
        return new ObjectRef(ObjectKind.VOLUME, id.value());
    }

    static ObjectRef of(HostId id) {
        return new ObjectRef(ObjectKind.HOST, id.value());
    }

    static ObjectRef of(SubsystemId id) {
        return new ObjectRef(ObjectKind.SUBSYSTEM, id.value());
    }

    static ObjectRef of(NamespaceId id) {
        return new ObjectRef(ObjectKind.NAMESPACE, id.value());
    }

    static ObjectRef of(ListenerId id) {
        return new ObjectRef(ObjectKind.LISTENER, id.value());
    }

    static ObjectRef of(PoolId id) {
        return new ObjectRef(ObjectKind.POOL, id.value());
    }
}
