package io.fairlead.nvme.target;

/**
 * The target's side of one connection, which is one queue. The transport makes it when the transport-level handshake is done; Connect
 * then decides which subsystem and which queue it is. Owned by its poll group's thread.
 */
public interface TargetQueue {

    /** A command arrived: {@link FabricCommand#sqe()} and what came in its capsule are filled. */
    void onCommand(FabricCommand command);

    /** The data that {@link FabricTransport#fetch} asked for is in {@link FabricCommand#data()}. */
    void onData(FabricCommand command);

    /**
     * Called instead of {@link #onCommand} (data in the capsule) or {@link #onData} (data that was fetched): the command is here and
     * its data is not. The target completes it with the status that the loss stands for.
     */
    void onDataLost(FabricCommand command, DataLoss loss);

    /** A device operation on the command ended; the poll group routes it here by {@link FabricCommand#queue()}. */
    void onDeviceDone(FabricCommand command, DeviceStatus status);

    /**
     * The connection is gone; no call into the transport may follow. Commands still at a device do not come back to this queue: the
     * poll group keeps their buffers until the device is done with them.
     */
    void onDisconnect();

    /** Called about ten times a second, for keep-alive and the time limit of authentication. */
    void onTick(long nowNanos);

    /** Depth from Connect (SQSIZE + 1); before Connect, the depth that a transport must allow for: 128. */
    int depth();

    /** Why a command's data is missing. */
    enum DataLoss {
        /** Its data digest was wrong: Transient Transport Error (NVM Express Base 2.0, figure 94, 22h). */
        DAMAGED,
        /** No buffer was free to take it: Command Interrupted (21h). */
        NO_BUFFER
    }
}
