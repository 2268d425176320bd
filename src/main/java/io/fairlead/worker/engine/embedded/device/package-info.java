/**
 * Block devices of the embedded engine: files and raw block devices through positional file I/O, and memory.
 *
 * <p>A poll group thread never waits for a medium. A {@link io.fairlead.worker.engine.embedded.device.FileDevice} hands each operation
 * to I/O threads of its own and gets it back through a ring, so a slow or hung device delays only its own commands; io_uring can take
 * the place of those threads behind the same {@link io.fairlead.nvme.target.DeviceQueue}. May use {@code nvme.target} and the JDK.
 */
package io.fairlead.worker.engine.embedded.device;
