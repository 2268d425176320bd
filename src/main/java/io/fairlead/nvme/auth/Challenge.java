package io.fairlead.nvme.auth;

import static io.fairlead.nvme.auth.Payload.malformed;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import java.lang.foreign.MemorySegment;

/**
 * DHCHAP_Challenge, from the controller (NVM Express Base 2.0, section 8.13.5.2).
 *
 * @param sequence SEQNUM, never 0
 * @param value C1, as long as the hash
 * @param dhValue the controller's public value; empty exactly for the NULL group
 */
public record Challenge(
        int transactionId, DhchapHash hash, DhchapGroup group, int sequence, byte[] value, byte[] dhValue)
        implements AuthMessage {

    static final int AUTH_ID = 0x01;
    static final int FIXED_BYTES = 16;
    static final int HL_OFFSET = 6;
    static final int HASH_ID_OFFSET = 8;
    static final int GROUP_ID_OFFSET = 9;
    static final int DHVLEN_OFFSET = 10;
    static final int SEQNUM_OFFSET = 12;
    static final int CVAL_OFFSET = 16;

    private static final String NAME = "DHCHAP_Challenge";

    static Challenge read(MemorySegment payload) throws AuthFault {
        Payload.requireBytesMin(payload, FIXED_BYTES, NAME);
        DhchapHash hash = DhchapHash.ofId(Payload.unsignedByte(payload, HASH_ID_OFFSET))
                .orElseThrow(() -> new AuthFault(new AuthRefusal(
                        AuthCheck.HASH_NOT_OFFERED,
                        AuthExplanation.HASH_NOT_USABLE,
                        "The controller chose a hash that does not exist.")));
        DhchapGroup group = DhchapGroup.ofId(Payload.unsignedByte(payload, GROUP_ID_OFFSET))
                .orElseThrow(() -> new AuthFault(new AuthRefusal(
                        AuthCheck.DH_GROUP_NOT_OFFERED,
                        AuthExplanation.DH_GROUP_NOT_USABLE,
                        "The controller chose a Diffie-Hellman group that does not exist.")));
        int hashBytes = Payload.unsignedByte(payload, HL_OFFSET);
        if (hashBytes != hash.digestBytes()) {
            throw malformed("DHCHAP_Challenge has a hash length of %d with %s.".formatted(hashBytes, hash.label()));
        }
        int dhBytes = Payload.unsignedShort(payload, DHVLEN_OFFSET);
        DhExchange.requireValueBytes(group, dhBytes, NAME);
        Payload.requireBytesMin(payload, FIXED_BYTES + (long) hashBytes + dhBytes, NAME);
        int sequence = payload.get(Payload.LE32, SEQNUM_OFFSET);
        if (sequence == 0) {
            throw malformed("DHCHAP_Challenge has the sequence number 0.");
        }
        return new Challenge(
                Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET),
                hash,
                group,
                sequence,
                Payload.copy(payload, CVAL_OFFSET, hashBytes),
                Payload.copy(payload, CVAL_OFFSET + (long) hashBytes, dhBytes));
    }

    @Override
    public int bytes() {
        return FIXED_BYTES + value.length + dhValue.length;
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, bytes(), Payload.DHCHAP_TYPE, AUTH_ID, transactionId);
        destination.set(JAVA_BYTE, HL_OFFSET, (byte) value.length);
        destination.set(JAVA_BYTE, HASH_ID_OFFSET, (byte) hash.id());
        destination.set(JAVA_BYTE, GROUP_ID_OFFSET, (byte) group.id());
        destination.set(Payload.LE16, DHVLEN_OFFSET, (short) dhValue.length);
        destination.set(Payload.LE32, SEQNUM_OFFSET, sequence);
        Payload.put(destination, CVAL_OFFSET, value);
        Payload.put(destination, CVAL_OFFSET + (long) value.length, dhValue);
    }
}
