package io.fairlead.nvme.tcp;

/** A PDU that ends the connection; the receiver answers it with a termination request and closes. */
public final class PduFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final FatalError error;
    private final int information;

    private PduFault(FatalError error, int information, String message) {
        super(message);
        this.error = error;
        this.information = information;
    }

    /** A header field that cannot be; {@code fieldOffset} counts from the start of the PDU. */
    public static PduFault invalidField(int fieldOffset, String message) {
        return new PduFault(FatalError.INVALID_PDU_HEADER_FIELD, fieldOffset, message);
    }

    /** A header field that is valid and that we cannot serve. */
    public static PduFault unsupported(int fieldOffset, String message) {
        return new PduFault(FatalError.UNSUPPORTED_PARAMETER, fieldOffset, message);
    }

    /** A fault that has no field to point at. */
    public static PduFault of(FatalError error, String message) {
        return new PduFault(error, 0, message);
    }

    /** FES. */
    public FatalError error() {
        return error;
    }

    /** FEI. */
    public int information() {
        return information;
    }
}
