package io.fairlead.nvme.target;

import java.util.List;
import java.util.UUID;

/**
 * A live controller: who is connected.
 *
 * @param ioQueues how many I/O queues it has right now
 * @param peerAddresses of its admin queue
 */
public record ControllerView(
        int cntlid, String subsystemNqn, String hostNqn, UUID listener, int ioQueues, List<String> peerAddresses) {}
