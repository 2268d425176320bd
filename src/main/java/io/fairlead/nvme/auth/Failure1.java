package io.fairlead.nvme.auth;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * AUTH_Failure1, from the controller (NVM Express Base 2.0, section 8.13.5.6).
 *
 * @param reason reason code, {@link AuthExplanation#REASON_CODE}
 * @param explanation a code of {@link AuthExplanation}, or one that does not exist
 */
public record Failure1(int transactionId, int reason, int explanation) implements AuthMessage {

    static final int AUTH_ID = 0xf1;
    static final int FIXED_BYTES = 8;
    static final int REASON_OFFSET = 6;
    static final int EXPLANATION_OFFSET = 7;

    static Failure1 of(int transactionId, AuthExplanation explanation) {
        return new Failure1(transactionId, AuthExplanation.REASON_CODE, explanation.code());
    }

    static Failure1 read(MemorySegment payload) throws AuthFault {
        Payload.requireBytesMin(payload, FIXED_BYTES, "AUTH_Failure1");
        return new Failure1(
                Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET),
                Payload.unsignedByte(payload, REASON_OFFSET),
                Payload.unsignedByte(payload, EXPLANATION_OFFSET));
    }

    @Override
    public int bytes() {
        return FIXED_BYTES;
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, FIXED_BYTES, Payload.COMMON_TYPE, AUTH_ID, transactionId);
        destination.set(JAVA_BYTE, REASON_OFFSET, (byte) reason);
        destination.set(JAVA_BYTE, EXPLANATION_OFFSET, (byte) explanation);
    }
}
