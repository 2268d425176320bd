package io.fairlead.ffi.libc;

import java.io.IOException;

/** A system call that the kernel refused. */
public final class SystemCallFault extends IOException {

    private static final long serialVersionUID = 1L;

    private final int errno;

    SystemCallFault(String call, int errno, String text) {
        super(call + ": " + text);
        this.errno = errno;
    }

    /** One of {@link Errno}, or another. */
    public int errno() {
        return errno;
    }

    /** Whether more rights would have helped. */
    public boolean isPermission() {
        return errno == Errno.EPERM || errno == Errno.EACCES;
    }

    /** Whether the device is not there, or is not there any more. */
    public boolean isGone() {
        return errno == Errno.ENOENT || errno == Errno.ENXIO || errno == Errno.ENODEV;
    }
}
