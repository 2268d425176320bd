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

    /** The connection is gone; no call into the transport may follow. Commands still at a device are forgotten when they come back. */
    void onDisconnect();

    /** Called about ten times a second, for keep-alive and the time limit of authentication. */
    void onTick(long nowNanos);

    /** Depth from Connect (SQSIZE + 1); before Connect, the depth that a transport must allow for: 128. */
    int depth();
}
