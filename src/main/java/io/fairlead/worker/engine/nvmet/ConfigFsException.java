package io.fairlead.worker.engine.nvmet;

import java.io.IOException;

/** An operation on configfs that the kernel refused. Its message names operation and path, never a value: that may be a key. */
final class ConfigFsException extends IOException {

    private static final long serialVersionUID = 1L;

    private final Errno errno;
    private final String path;

    ConfigFsException(String operation, String path, Errno errno, Throwable cause) {
        super(operation + " " + path + ": " + told(errno, cause), cause);
        this.errno = errno;
        this.path = path;
    }

    private static String told(Errno errno, Throwable cause) {
        return errno == Errno.OTHER && cause != null ? String.valueOf(cause.getMessage()) : errno.sentence();
    }

    Errno errno() {
        return errno;
    }

    /** Relative to the root of the tree. */
    String path() {
        return path;
    }
}
