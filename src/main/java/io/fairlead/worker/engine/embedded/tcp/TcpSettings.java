package io.fairlead.worker.engine.embedded.tcp;

import java.time.Duration;

/**
 * Limits and habits of the transport.
 *
 * @param pollGroups threads that serve connections
 * @param busyPoll how long a thread looks for work before it blocks; time of a core against latency
 * @param connectionsMax over all poll groups; a connection beyond is closed at once
 * @param handshakeTimeout from accept to the end of ICReq
 * @param firstCommandTimeout from the handshake to the first whole command
 * @param stallTimeout how long a PDU may stay half arrived, and an answer unread
 * @param maxH2cDataBytes MAXH2CDATA, a multiple of 4 from 4096 up
 * @param capsuleDataBytesMax most data in a command capsule; the admin queue needs 8192 (TCP Transport 1.0, section 3.3.2)
 * @param bufferMemoryBytes per poll group, for data of commands
 */
public record TcpSettings(
        int pollGroups,
        Duration busyPoll,
        int connectionsMax,
        Duration handshakeTimeout,
        Duration firstCommandTimeout,
        Duration stallTimeout,
        int maxH2cDataBytes,
        int capsuleDataBytesMax,
        long bufferMemoryBytes) {

    public static final TcpSettings DEFAULT = new TcpSettings(
            1,
            Duration.ofNanos(50_000),
            4096,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            131_072,
            8192,
            128L << 20);

    public TcpSettings withBusyPoll(Duration value) {
        return new TcpSettings(
                pollGroups,
                value,
                connectionsMax,
                handshakeTimeout,
                firstCommandTimeout,
                stallTimeout,
                maxH2cDataBytes,
                capsuleDataBytesMax,
                bufferMemoryBytes);
    }

    public TcpSettings withPollGroups(int value) {
        return new TcpSettings(
                value,
                busyPoll,
                connectionsMax,
                handshakeTimeout,
                firstCommandTimeout,
                stallTimeout,
                maxH2cDataBytes,
                capsuleDataBytesMax,
                bufferMemoryBytes);
    }

    public TcpSettings withConnectionsMax(int value) {
        return new TcpSettings(
                pollGroups,
                busyPoll,
                value,
                handshakeTimeout,
                firstCommandTimeout,
                stallTimeout,
                maxH2cDataBytes,
                capsuleDataBytesMax,
                bufferMemoryBytes);
    }

    public TcpSettings withTimeouts(Duration handshake, Duration firstCommand, Duration stall) {
        return new TcpSettings(
                pollGroups,
                busyPoll,
                connectionsMax,
                handshake,
                firstCommand,
                stall,
                maxH2cDataBytes,
                capsuleDataBytesMax,
                bufferMemoryBytes);
    }

    public TcpSettings withBufferMemoryBytes(long value) {
        return new TcpSettings(
                pollGroups,
                busyPoll,
                connectionsMax,
                handshakeTimeout,
                firstCommandTimeout,
                stallTimeout,
                maxH2cDataBytes,
                capsuleDataBytesMax,
                value);
    }
}
