package io.fairlead.nvme.spec;

/**
 * Status values of a completion (NVM Express Base 2.0, section 3.3.3.2.1; Fabrics values in section 6). {@link #field} gives the 16 bits of
 * the completion queue entry.
 */
public enum StatusCode {
    SUCCESS(0, 0x00),
    INVALID_COMMAND_OPCODE(0, 0x01),
    INVALID_FIELD(0, 0x02),
    DATA_TRANSFER_ERROR(0, 0x04),
    INTERNAL_ERROR(0, 0x06),
    COMMAND_ABORT_REQUESTED(0, 0x07),
    COMMAND_ABORTED_FUSED(0, 0x09),
    INVALID_NAMESPACE(0, 0x0B),
    COMMAND_SEQUENCE_ERROR(0, 0x0C),
    INVALID_SGL_DESCRIPTOR_COUNT(0, 0x0E),
    DATA_SGL_LENGTH_INVALID(0, 0x0F),
    SGL_DESCRIPTOR_TYPE_INVALID(0, 0x11),
    SGL_OFFSET_INVALID(0, 0x16),
    HOST_IDENTIFIER_INCONSISTENT(0, 0x18),
    COMMAND_INTERRUPTED(0, 0x21),
    TRANSIENT_TRANSPORT_ERROR(0, 0x22),
    LBA_OUT_OF_RANGE(0, 0x80),
    CAPACITY_EXCEEDED(0, 0x81),
    NAMESPACE_NOT_READY(0, 0x82),
    AER_LIMIT_EXCEEDED(1, 0x05),
    INVALID_LOG_PAGE(1, 0x09),
    FEATURE_NOT_SAVEABLE(1, 0x0D),
    FEATURE_NOT_CHANGEABLE(1, 0x0E),
    CONNECT_INCOMPATIBLE_FORMAT(1, 0x80),
    CONNECT_CONTROLLER_BUSY(1, 0x81),
    CONNECT_INVALID_PARAMETERS(1, 0x82),
    CONNECT_INVALID_HOST(1, 0x84),
    DISCOVERY_RESTART(1, 0x90),
    AUTHENTICATION_REQUIRED(1, 0x91),
    WRITE_FAULT(2, 0x80),
    UNRECOVERED_READ_ERROR(2, 0x81),
    INTERNAL_PATH_ERROR(3, 0x00),
    ANA_PERSISTENT_LOSS(3, 0x01),
    ANA_INACCESSIBLE(3, 0x02),
    ANA_TRANSITION(3, 0x03);

    private static final int CODE_SHIFT = 1;
    private static final int TYPE_SHIFT = 9;
    private static final int DO_NOT_RETRY_BIT = 1 << 15;

    private final int type;
    private final int code;

    StatusCode(int type, int code) {
        this.type = type;
        this.code = code;
    }

    /** Status Code Type, 0 to 7. */
    public int type() {
        return type;
    }

    /** Status Code, 0 to 255. */
    public int code() {
        return code;
    }

    /** The status field with the phase bit clear. */
    public int field(Retry retry) {
        int field = code << CODE_SHIFT | type << TYPE_SHIFT;
        return retry == Retry.NEVER ? field | DO_NOT_RETRY_BIT : field;
    }

    /** Do Not Retry. */
    public enum Retry {
        /** The same command may succeed later, or on another path. */
        ALLOWED,
        /** The same command fails for ever. */
        NEVER
    }
}
