/**
 * The NVMe-oF target without a transport: controllers, admin and I/O commands, discovery, ANA, keep-alive, events, authentication.
 *
 * <p>It reads no clock, starts no thread and opens nothing. Transports drive it through {@link io.fairlead.nvme.target.TargetQueue}
 * and serve it through the ports {@link io.fairlead.nvme.target.FabricTransport}, {@link io.fairlead.nvme.target.PollGroup},
 * {@link io.fairlead.nvme.target.BlockDevice}. May use {@code nvme.spec}, {@code nvme.wire}, {@code nvme.auth} and the JDK only.
 */
package io.fairlead.nvme.target;
