package io.fairlead.nvme.auth;

import static io.fairlead.nvme.auth.Payload.malformed;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * AUTH_Negotiate, from the host (NVM Express Base 2.0, section 8.13.4.1): a header, and one descriptor of 64 bytes per protocol.
 *
 * @param concatenation SC_C: 0 asks for no secure channel
 * @param hashes what the host offers, in its order; identifiers that do not exist are left out
 * @param groups what the host offers, in its order; identifiers that do not exist are left out
 */
public record Negotiate(int transactionId, int concatenation, List<DhchapHash> hashes, List<DhchapGroup> groups)
        implements AuthMessage {

    static final int AUTH_ID = 0x00;
    static final int FIXED_BYTES = 8;
    static final int DESCRIPTOR_BYTES = 64;
    static final int SC_C_OFFSET = 6;
    static final int NAPD_OFFSET = 7;

    /** Of a protocol descriptor. */
    static final int AUTHID_OFFSET = 0;

    static final int HALEN_OFFSET = 2;
    static final int DHLEN_OFFSET = 3;
    static final int HASH_LIST_OFFSET = 4;
    static final int GROUP_LIST_OFFSET = 34;
    static final int LIST_ENTRIES_MAX = 30;
    /** AuthID of DH-HMAC-CHAP. */
    static final int DHCHAP_AUTHID = 1;

    private static final String NAME = "AUTH_Negotiate";

    public Negotiate {
        hashes = List.copyOf(hashes);
        groups = List.copyOf(groups);
    }

    static Negotiate read(MemorySegment payload) throws AuthFault {
        Payload.requireBytesMin(payload, FIXED_BYTES, NAME);
        int descriptors = Payload.unsignedByte(payload, NAPD_OFFSET);
        Payload.requireBytes(payload, FIXED_BYTES + (long) descriptors * DESCRIPTOR_BYTES, NAME);
        for (int index = 0; index < descriptors; index++) {
            MemorySegment descriptor = payload.asSlice(FIXED_BYTES + (long) index * DESCRIPTOR_BYTES, DESCRIPTOR_BYTES);
            if (Payload.unsignedByte(descriptor, AUTHID_OFFSET) == DHCHAP_AUTHID) {
                return new Negotiate(
                        Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET),
                        Payload.unsignedByte(payload, SC_C_OFFSET),
                        hashes(descriptor),
                        groups(descriptor));
            }
        }
        throw new AuthFault(new AuthRefusal(
                AuthCheck.PROTOCOL_ERROR,
                AuthExplanation.PROTOCOL_NOT_USABLE,
                "The host does not offer DH-HMAC-CHAP among its authentication protocols."));
    }

    private static List<DhchapHash> hashes(MemorySegment descriptor) throws AuthFault {
        List<DhchapHash> hashes = new ArrayList<>();
        int count = listEntries(descriptor, HALEN_OFFSET);
        for (int index = 0; index < count; index++) {
            DhchapHash.ofId(Payload.unsignedByte(descriptor, HASH_LIST_OFFSET + index))
                    .ifPresent(hashes::add);
        }
        return hashes;
    }

    private static List<DhchapGroup> groups(MemorySegment descriptor) throws AuthFault {
        List<DhchapGroup> groups = new ArrayList<>();
        int count = listEntries(descriptor, DHLEN_OFFSET);
        for (int index = 0; index < count; index++) {
            DhchapGroup.ofId(Payload.unsignedByte(descriptor, GROUP_LIST_OFFSET + index))
                    .ifPresent(groups::add);
        }
        return groups;
    }

    private static int listEntries(MemorySegment descriptor, int lengthOffset) throws AuthFault {
        int count = Payload.unsignedByte(descriptor, lengthOffset);
        if (count > LIST_ENTRIES_MAX) {
            throw malformed("AUTH_Negotiate counts %d entries in a list of %d.".formatted(count, LIST_ENTRIES_MAX));
        }
        return count;
    }

    @Override
    public int bytes() {
        return FIXED_BYTES + DESCRIPTOR_BYTES;
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, bytes(), Payload.COMMON_TYPE, AUTH_ID, transactionId);
        destination.set(JAVA_BYTE, SC_C_OFFSET, (byte) concatenation);
        destination.set(JAVA_BYTE, NAPD_OFFSET, (byte) 1);
        MemorySegment descriptor = destination.asSlice(FIXED_BYTES, DESCRIPTOR_BYTES);
        descriptor.set(JAVA_BYTE, AUTHID_OFFSET, (byte) DHCHAP_AUTHID);
        descriptor.set(JAVA_BYTE, HALEN_OFFSET, (byte) hashes.size());
        descriptor.set(JAVA_BYTE, DHLEN_OFFSET, (byte) groups.size());
        for (int index = 0; index < hashes.size(); index++) {
            descriptor.set(JAVA_BYTE, HASH_LIST_OFFSET + index, (byte)
                    hashes.get(index).id());
        }
        for (int index = 0; index < groups.size(); index++) {
            descriptor.set(JAVA_BYTE, GROUP_LIST_OFFSET + index, (byte)
                    groups.get(index).id());
        }
    }
}
