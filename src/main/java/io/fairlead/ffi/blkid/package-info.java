/**
 * libblkid of util-linux: what a device holds, as every other tool of the machine sees it. It looks only.
 *
 * <p>May use {@code ffi} and {@code ffi.libc}.
 */
package io.fairlead.ffi.blkid;
