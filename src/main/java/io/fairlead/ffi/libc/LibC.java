package io.fairlead.ffi.libc;

import jnr.ffi.annotations.Variadic;
import jnr.ffi.types.u_int64_t;

/** Functions of {@code libc.so.6}, as C names them. Public because jnr-ffi implements it; use {@link Descriptor}. */
public interface LibC {

    /** {@code int open(const char *pathname, int flags, ...)}. */
    @Variadic(fixedCount = 2)
    int open(String pathname, int flags);

    /** {@code int close(int fd)}. */
    int close(int fd);

    /** {@code int ioctl(int fd, unsigned long request, ...)}; the third is a pointer. */
    @Variadic(fixedCount = 2)
    int ioctl(int fd, @u_int64_t long request, @u_int64_t long argument);

    /** {@code char *strerror(int errnum)}. */
    String strerror(int errnum);
}
