package io.fairlead.nvme.target;

/**
 * What the target asks of the transport for one queue. Every call happens on the thread of the queue's poll group, during a call into
 * {@link TargetQueue} or {@link DeviceQueue#poll()}.
 */
public interface FabricTransport {

    /**
     * Takes a data buffer from the poll group's pool for the command ({@link FabricCommand#data()} then holds at least {@code bytes},
     * aligned to 4096). Called once per command that moves data which is not in its capsule already.
     *
     * @return false when the pool is exhausted: the target then holds nothing and completes the command with Command Interrupted
     */
    boolean takeBuffer(FabricCommand command, int bytes);

    /**
     * Brings {@link FabricCommand#dataBytes()} bytes from the host into {@link FabricCommand#data()} (TCP: R2T; RDMA: READ), then calls
     * {@link TargetQueue#onData}.
     */
    void fetch(FabricCommand command);

    /**
     * Sends {@link FabricCommand#dataToHostBytes()} bytes of {@link FabricCommand#data()}, if any, and then the completion in
     * {@link FabricCommand#cqe()}. The command and its buffer belong to the transport again.
     */
    void complete(FabricCommand command);

    /** Closes the connection after everything that was completed has been sent. */
    void disconnect();

    /** Where the peer is, for people: {@code 192.0.2.1:40312} or {@code [2001:db8::1]:40312}. */
    String peerAddress();
}
