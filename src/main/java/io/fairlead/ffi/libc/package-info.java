/**
 * The few system calls that the JDK does not offer: opening a device for its descriptor, and {@code ioctl}. Errors come as
 * {@link io.fairlead.ffi.libc.SystemCallFault} with the number that the kernel gave.
 *
 * <p>May use {@code ffi}.
 */
package io.fairlead.ffi.libc;
