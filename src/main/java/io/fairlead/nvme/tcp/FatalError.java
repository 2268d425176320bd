package io.fairlead.nvme.tcp;

/** Fatal Error Status of a termination request (sections 3.6.2.4 and 3.6.2.5, FES). */
public enum FatalError {
    /** FEI is the offset of the field in the PDU. */
    INVALID_PDU_HEADER_FIELD(1),
    PDU_SEQUENCE_ERROR(2),
    HEADER_DIGEST_ERROR(3),
    DATA_TRANSFER_OUT_OF_RANGE(4),
    /** From a controller: more data than allowed in one PDU. From a host: more R2Ts than allowed. */
    TRANSFER_LIMIT_EXCEEDED(5),
    /** FEI is the offset of the field in the PDU. */
    UNSUPPORTED_PARAMETER(6);

    private final int code;

    FatalError(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
