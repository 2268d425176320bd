package io.fairlead.worker.prover;

import io.fairlead.nvme.tcp.Digests;
import java.time.Duration;

/**
 * How a host connects.
 *
 * @param digests which digests to ask for
 * @param ioQueues how many I/O queues to ask for; 0 for an admin queue alone
 * @param queueDepth entries of each I/O queue, at least 2; one of them stays free
 * @param keepAlive 0: none
 * @param connectTimeout for everything until the connection is ready
 * @param commandTimeout for each command; the connection is given up when it passes
 */
public record HostOptions(
        Digests digests,
        int ioQueues,
        int queueDepth,
        Duration keepAlive,
        Duration connectTimeout,
        Duration commandTimeout) {

    public static final HostOptions DEFAULT = new HostOptions(
            Digests.NONE, 1, 32, Duration.ofSeconds(30), Duration.ofSeconds(15), Duration.ofSeconds(10));

    public HostOptions {
        if (ioQueues < 0 || queueDepth < 2 || queueDepth > 1024) {
            throw new IllegalArgumentException("no queues of this number or depth");
        }
    }

    public HostOptions withDigests(Digests other) {
        return new HostOptions(other, ioQueues, queueDepth, keepAlive, connectTimeout, commandTimeout);
    }

    public HostOptions withQueues(int queues, int depth) {
        return new HostOptions(digests, queues, depth, keepAlive, connectTimeout, commandTimeout);
    }

    public HostOptions withTimeouts(Duration connect, Duration command) {
        return new HostOptions(digests, ioQueues, queueDepth, keepAlive, connect, command);
    }

    public HostOptions withKeepAlive(Duration other) {
        return new HostOptions(digests, ioQueues, queueDepth, other, connectTimeout, commandTimeout);
    }
}
