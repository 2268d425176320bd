/**
 * The NVMe-oF host without a transport: it builds the commands, knows their order, checks the answers as strictly as the Linux
 * initiator does, and says in a sentence what was refused.
 *
 * <p>A {@link io.fairlead.nvme.initiator.HostController} drives queues that a transport offers as
 * {@link io.fairlead.nvme.initiator.HostQueue}. Nothing here reads a clock, starts a thread or opens anything; deadlines are the
 * transport's. May use {@code nvme.spec}, {@code nvme.wire}, {@code nvme.auth} and the JDK only.
 */
package io.fairlead.nvme.initiator;
