package io.fairlead.worker.engine.embedded.device;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A device has fewer bytes than shall be served from it. */
public final class DeviceTooSmallException extends FileSystemException {

    private static final long serialVersionUID = 1L;

    private final long presentBytes;

    DeviceTooSmallException(Path path, long presentBytes, long wantedBytes) {
        super(path.toString(), null, "has " + presentBytes + " bytes where " + wantedBytes + " are to be served");
        this.presentBytes = presentBytes;
    }

    public long presentBytes() {
        return presentBytes;
    }
}
