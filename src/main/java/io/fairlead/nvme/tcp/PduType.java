package io.fairlead.nvme.tcp;

/** The PDU types (section 3.6.1, PDU-Type). */
public enum PduType {
    IC_REQ(0x00, 128, PduDirection.HOST_TO_CONTROLLER),
    IC_RESP(0x01, 128, PduDirection.CONTROLLER_TO_HOST),
    H2C_TERM_REQ(0x02, 24, PduDirection.HOST_TO_CONTROLLER),
    C2H_TERM_REQ(0x03, 24, PduDirection.CONTROLLER_TO_HOST),
    CAPSULE_CMD(0x04, 72, PduDirection.HOST_TO_CONTROLLER),
    CAPSULE_RESP(0x05, 24, PduDirection.CONTROLLER_TO_HOST),
    H2C_DATA(0x06, 24, PduDirection.HOST_TO_CONTROLLER),
    C2H_DATA(0x07, 24, PduDirection.CONTROLLER_TO_HOST),
    R2T(0x09, 24, PduDirection.CONTROLLER_TO_HOST);

    private static final PduType[] BY_CODE = new PduType[256];

    static {
        for (PduType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final int headerBytes;
    private final PduDirection direction;

    PduType(int code, int headerBytes, PduDirection direction) {
        this.code = code;
        this.headerBytes = headerBytes;
        this.direction = direction;
    }

    /** The type with this code, or null when the specification names none. */
    static PduType of(int code) {
        return BY_CODE[code & 0xFF];
    }

    public int code() {
        return code;
    }

    /** What HLEN must be. */
    public int headerBytes() {
        return headerBytes;
    }

    public PduDirection direction() {
        return direction;
    }

    /** Digests protect every PDU but those of the handshake and of termination (section 3.3.1.1). */
    boolean mayHaveDigests() {
        return switch (this) {
            case IC_REQ, IC_RESP, H2C_TERM_REQ, C2H_TERM_REQ -> false;
            case CAPSULE_CMD, CAPSULE_RESP, H2C_DATA, C2H_DATA, R2T -> true;
        };
    }

    boolean mayCarryData() {
        return switch (this) {
            case CAPSULE_CMD, H2C_DATA, C2H_DATA -> true;
            case IC_REQ, IC_RESP, H2C_TERM_REQ, C2H_TERM_REQ, CAPSULE_RESP, R2T -> false;
        };
    }

    boolean isTermination() {
        return this == H2C_TERM_REQ || this == C2H_TERM_REQ;
    }

    boolean isHandshake() {
        return this == IC_REQ || this == IC_RESP;
    }
}
