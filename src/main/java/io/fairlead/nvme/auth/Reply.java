package io.fairlead.nvme.auth;

import static io.fairlead.nvme.auth.Payload.malformed;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * DHCHAP_Reply, from the host (NVM Express Base 2.0, section 8.13.5.3). The space for the host's own challenge is always there; CVALID
 * says whether it is used.
 *
 * @param response R1, as long as the hash
 * @param counterChallenge C2, present: the controller has to prove itself
 * @param sequence SEQNUM of the counter-challenge, not 0 then
 * @param dhValue the host's public value; empty for the NULL group
 */
public record Reply(int transactionId, byte[] response, Optional<byte[]> counterChallenge, int sequence, byte[] dhValue)
        implements AuthMessage {

    static final int AUTH_ID = 0x02;
    static final int FIXED_BYTES = 16;
    static final int HL_OFFSET = 6;
    static final int CVALID_OFFSET = 8;
    static final int DHVLEN_OFFSET = 10;
    static final int SEQNUM_OFFSET = 12;
    static final int RVAL_OFFSET = 16;

    private static final String NAME = "DHCHAP_Reply";

    static Reply read(MemorySegment payload) throws AuthFault {
        Payload.requireBytesMin(payload, FIXED_BYTES, NAME);
        int hashBytes = Payload.unsignedByte(payload, HL_OFFSET);
        int dhBytes = Payload.unsignedShort(payload, DHVLEN_OFFSET);
        Payload.requireBytes(payload, FIXED_BYTES + 2L * hashBytes + dhBytes, NAME);
        int challengeValid = Payload.unsignedByte(payload, CVALID_OFFSET);
        int sequence = payload.get(Payload.LE32, SEQNUM_OFFSET);
        if (challengeValid > 1) {
            throw malformed("DHCHAP_Reply has the reserved value %d in CVALID.".formatted(challengeValid));
        }
        if (challengeValid == 1 && sequence == 0) {
            throw malformed("DHCHAP_Reply has a challenge with the sequence number 0.");
        }
        return new Reply(
                Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET),
                Payload.copy(payload, RVAL_OFFSET, hashBytes),
                challengeValid == 1
                        ? Optional.of(Payload.copy(payload, RVAL_OFFSET + (long) hashBytes, hashBytes))
                        : Optional.empty(),
                sequence,
                Payload.copy(payload, RVAL_OFFSET + 2L * hashBytes, dhBytes));
    }

    @Override
    public int bytes() {
        return FIXED_BYTES + 2 * response.length + dhValue.length;
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, bytes(), Payload.DHCHAP_TYPE, AUTH_ID, transactionId);
        destination.set(JAVA_BYTE, HL_OFFSET, (byte) response.length);
        destination.set(JAVA_BYTE, CVALID_OFFSET, (byte) (counterChallenge.isPresent() ? 1 : 0));
        destination.set(Payload.LE16, DHVLEN_OFFSET, (short) dhValue.length);
        destination.set(Payload.LE32, SEQNUM_OFFSET, sequence);
        Payload.put(destination, RVAL_OFFSET, response);
        counterChallenge.ifPresent(value -> Payload.put(destination, RVAL_OFFSET + (long) response.length, value));
        Payload.put(destination, RVAL_OFFSET + 2L * response.length, dhValue);
    }
}
