package io.fairlead.nvme.auth;

import static io.fairlead.nvme.auth.Payload.malformed;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * DHCHAP_Success1, from the controller (NVM Express Base 2.0, section 8.13.5.4).
 *
 * @param hashBytes HL; Linux wants it to be that of the chosen hash also when there is no response
 * @param response R2, present if the host had asked the controller to prove itself
 */
public record Success1(int transactionId, int hashBytes, Optional<byte[]> response) implements AuthMessage {

    static final int AUTH_ID = 0x03;
    static final int FIXED_BYTES = 16;
    static final int HL_OFFSET = 6;
    static final int RVALID_OFFSET = 8;
    static final int RVAL_OFFSET = 16;

    private static final String NAME = "DHCHAP_Success1";

    static Success1 read(MemorySegment payload) throws AuthFault {
        Payload.requireBytesMin(payload, FIXED_BYTES, NAME);
        int hashBytes = Payload.unsignedByte(payload, HL_OFFSET);
        int responseValid = Payload.unsignedByte(payload, RVALID_OFFSET);
        if (responseValid > 1) {
            throw malformed("DHCHAP_Success1 has the reserved value %d in RVALID.".formatted(responseValid));
        }
        if (responseValid == 1) {
            Payload.requireBytesMin(payload, FIXED_BYTES + (long) hashBytes, NAME);
        }
        return new Success1(
                Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET),
                hashBytes,
                responseValid == 1 ? Optional.of(Payload.copy(payload, RVAL_OFFSET, hashBytes)) : Optional.empty());
    }

    @Override
    public int bytes() {
        return FIXED_BYTES + response.map(value -> value.length).orElse(0);
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, bytes(), Payload.DHCHAP_TYPE, AUTH_ID, transactionId);
        destination.set(JAVA_BYTE, HL_OFFSET, (byte) hashBytes);
        destination.set(JAVA_BYTE, RVALID_OFFSET, (byte) (response.isPresent() ? 1 : 0));
        response.ifPresent(value -> Payload.put(destination, RVAL_OFFSET, value));
    }
}
