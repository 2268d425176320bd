/**
 * The NVMe/TCP transport of the embedded engine: listeners, connections, and the poll group threads that own them.
 *
 * <p>A connection belongs to one poll group from accept to close, with its buffers, its device queues and all calls into the target:
 * no locks, no hand-off and no allocation per command. A turn of the loop reads what is there, hands all of it to the target, and
 * answers the batch with one gathering write. After a bounded time without work the thread blocks. May use {@code nvme.tcp}, {@code
 * nvme.target}, {@code embedded.device} and the JDK.
 */
package io.fairlead.worker.engine.embedded.tcp;
