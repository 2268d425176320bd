package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.FabricTransport;
import io.fairlead.nvme.target.PollGroup;
import io.fairlead.nvme.target.TargetQueue;

/** Makes the target's side of a connection that came in through one listener. Called on the poll group's thread. */
@FunctionalInterface
public interface QueueOpener {
    TargetQueue open(FabricTransport transport, PollGroup group);
}
