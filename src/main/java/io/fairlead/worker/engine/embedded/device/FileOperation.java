package io.fairlead.worker.engine.embedded.device;

import io.fairlead.nvme.target.DeviceQueue.UnitAccess;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;

/** One operation on its way to an I/O thread and back; used again and again. Owned by whoever holds it. */
final class FileOperation {

    enum Kind {
        READ,
        WRITE,
        FLUSH,
        WRITE_ZEROES
    }

    Kind kind = Kind.FLUSH;
    FabricCommand command;
    long position;
    long bytes;
    UnitAccess access = UnitAccess.CACHED;
    DeviceStatus status = DeviceStatus.OK;

    void set(Kind newKind, FabricCommand newCommand, long newPosition, long newBytes, UnitAccess newAccess) {
        kind = newKind;
        command = newCommand;
        position = newPosition;
        bytes = newBytes;
        access = newAccess;
        status = DeviceStatus.OK;
    }
}
