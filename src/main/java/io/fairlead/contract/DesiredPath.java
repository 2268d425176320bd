package io.fairlead.contract;

import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.PathId;
import io.fairlead.core.SubsystemId;

/** A path that the worker shall prove: this host reaches this subsystem through this listener. */
public record DesiredPath(PathId id, SubsystemId subsystemId, HostId hostId, ListenerId listenerId) {}
