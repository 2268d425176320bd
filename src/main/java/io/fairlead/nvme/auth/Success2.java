package io.fairlead.nvme.auth;

import java.lang.foreign.MemorySegment;

/** DHCHAP_Success2, from a host that accepts the controller's proof (NVM Express Base 2.0, section 8.13.5.5). */
public record Success2(int transactionId) implements AuthMessage {

    static final int AUTH_ID = 0x04;
    static final int FIXED_BYTES = 16;

    static Success2 read(MemorySegment payload) throws AuthFault {
        Payload.requireBytes(payload, FIXED_BYTES, "DHCHAP_Success2");
        return new Success2(Payload.unsignedShort(payload, Payload.TRANSACTION_ID_OFFSET));
    }

    @Override
    public int bytes() {
        return FIXED_BYTES;
    }

    @Override
    public void write(MemorySegment destination) {
        Payload.writeHeader(destination, FIXED_BYTES, Payload.DHCHAP_TYPE, AUTH_ID, transactionId);
    }
}
