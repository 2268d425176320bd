package io.fairlead.ffi.libc;

import io.fairlead.ffi.Library;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file or device, for the calls that take its number. Not thread-safe. */
public final class Descriptor implements AutoCloseable {

    // asm-generic/fcntl.h
    private static final int O_RDONLY = 0;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;

    private static final Library<LibC> LIBRARY = Library.load(LibC.class, "libc.so.6");

    private final LibC libc;
    private int fd;

    private Descriptor(LibC libc, int fd) {
        this.libc = libc;
        this.fd = fd;
    }

    /** Opens without writing, without waiting for a medium, and not for child processes. */
    public static Descriptor open(Path file) throws SystemCallFault {
        LibC libc = switch (LIBRARY) {
            case Library.Loaded<LibC> loaded -> loaded.functions();
            case Library.Missing<LibC> missing ->
                throw new SystemCallFault("open " + file, Errno.ENOSYS, missing.name() + ": " + missing.why());
        };
        int fd = libc.open(file.toString(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) {
            throw fault(libc, "open " + file);
        }
        return new Descriptor(libc, fd);
    }

    /** The number, for other libraries; theirs only while this is open. */
    public int number() {
        if (fd < 0) {
            throw new IllegalStateException("the descriptor is closed");
        }
        return fd;
    }

    /**
     * Asks the driver.
     *
     * @param argument native memory that the driver reads and writes
     * @return what the driver answers, not negative
     */
    public int ioctl(long request, MemorySegment argument) throws SystemCallFault {
        if (!argument.isNative()) {
            throw new IllegalArgumentException("the kernel cannot reach memory of the Java heap");
        }
        int answer = libc.ioctl(number(), request, argument.address());
        if (answer < 0) {
            throw fault(libc, "ioctl 0x" + Long.toHexString(request));
        }
        return answer;
    }

    /** To be called right after the call that failed, on its thread: the number is the thread's own. */
    private static SystemCallFault fault(LibC libc, String call) {
        int errno = jnr.ffi.Runtime.getRuntime(libc).getLastError();
        return new SystemCallFault(call, errno, libc.strerror(errno));
    }

    @Override
    public void close() {
        if (fd >= 0) {
            libc.close(fd);
            fd = -1;
        }
    }
}
