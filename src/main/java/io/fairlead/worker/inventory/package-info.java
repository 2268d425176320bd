/**
 * The drives of this head: real block devices as the kernel shows them under {@code /sys}, {@code /proc} and {@code /run/udev}, and files
 * that were named on the command line. It knows each by an identity that survives reboots and renaming, and says why one must not be
 * exported. {@code health} looks after what drives say of themselves.
 *
 * <p>Everything is read below one root, so that tests show it a machine of their own. May use {@code core}, {@code contract} and
 * {@code ffi}.
 */
package io.fairlead.worker.inventory;
