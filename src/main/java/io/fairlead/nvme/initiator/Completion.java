package io.fairlead.nvme.initiator;

import java.lang.foreign.MemorySegment;

/**
 * What a controller answered (NVM Express Base 2.0, section 3.3.3.2).
 *
 * @param result dwords 0 and 1
 * @param status the status field without the phase tag: SC in bits 7:0, SCT in 10:8, DNR in 14
 * @param dataBytes how many bytes of data came to the host
 */
public record Completion(long result, int status, int dataBytes) {

    private static final int STATUS_OFFSET = 14;
    private static final int DO_NOT_RETRY = 1 << 14;

    /** Reads a completion queue entry of 16 bytes. */
    public static Completion of(MemorySegment cqe, long at, int dataBytes) {
        int status = Short.toUnsignedInt(cqe.get(HostCommand.LE16, at + STATUS_OFFSET)) >>> 1;
        return new Completion(cqe.get(HostCommand.LE64, at), status, dataBytes);
    }

    public boolean succeeded() {
        return (status & 0x7FF) == 0;
    }

    public int statusCode() {
        return status & 0xFF;
    }

    public int statusCodeType() {
        return status >>> 8 & 7;
    }

    /** Whether the controller says that the same command will fail again. */
    public boolean doNotRetry() {
        return (status & DO_NOT_RETRY) != 0;
    }
}
