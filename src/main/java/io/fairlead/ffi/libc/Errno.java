package io.fairlead.ffi.libc;

/** Error numbers of Linux (asm-generic/errno-base.h, errno.h) that somebody here reacts to. */
public final class Errno {

    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EACCES = 13;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENOTTY = 25;
    public static final int ENOSYS = 38;

    private Errno() {}
}
