package io.fairlead.nvme.auth;

import java.lang.foreign.MemorySegment;

/**
 * A message of the authentication exchange (NVM Express Base 2.0, sections 8.13.4 and 8.13.5). Read from and written to the payload of
 * Authentication Send and Receive.
 *
 * <p>Each starts with AUTH_TYPE, AUTH_ID, two reserved bytes and the transaction identifier T_ID. What a host sends has exactly the
 * length of its message. What a controller sends may be followed by anything, because some controllers fill the whole allocation.
 */
public sealed interface AuthMessage permits Negotiate, Challenge, Reply, Success1, Success2, Failure1, Failure2 {

    /** No message of any length that the rules allow is longer; hosts allocate this much for Authentication Receive. */
    int BYTES_MAX = 4096;

    /** T_ID: the same in all messages of one exchange. */
    int transactionId();

    /** Length of the message. */
    int bytes();

    /** Writes the message to the start of a destination of at least {@link #bytes()}. */
    void write(MemorySegment destination);

    /** Who sent a message. */
    enum Sender {
        HOST,
        CONTROLLER
    }

    /** Reads a message; one that the sender may not send, or that does not fit in its payload, is a fault. */
    static AuthMessage read(MemorySegment payload, Sender sender) throws AuthFault {
        if (payload.byteSize() < Payload.HEADER_BYTES) {
            throw Payload.malformed("The authentication message is shorter than its header.");
        }
        int type = Payload.unsignedByte(payload, Payload.AUTH_TYPE_OFFSET);
        int id = Payload.unsignedByte(payload, Payload.AUTH_ID_OFFSET);
        return switch (sender) {
            case HOST -> readOfHost(payload, type, id);
            case CONTROLLER -> readOfController(payload, type, id);
        };
    }

    private static AuthMessage readOfHost(MemorySegment payload, int type, int id) throws AuthFault {
        if (type == Payload.COMMON_TYPE && id == Negotiate.AUTH_ID) {
            return Negotiate.read(payload);
        }
        if (type == Payload.DHCHAP_TYPE && id == Reply.AUTH_ID) {
            return Reply.read(payload);
        }
        if (type == Payload.DHCHAP_TYPE && id == Success2.AUTH_ID) {
            return Success2.read(payload);
        }
        if (type == Payload.COMMON_TYPE && id == Failure2.AUTH_ID) {
            return Failure2.read(payload);
        }
        throw unknown(type, id);
    }

    private static AuthMessage readOfController(MemorySegment payload, int type, int id) throws AuthFault {
        if (type == Payload.DHCHAP_TYPE && id == Challenge.AUTH_ID) {
            return Challenge.read(payload);
        }
        if (type == Payload.DHCHAP_TYPE && id == Success1.AUTH_ID) {
            return Success1.read(payload);
        }
        if (type == Payload.COMMON_TYPE && id == Failure1.AUTH_ID) {
            return Failure1.read(payload);
        }
        throw unknown(type, id);
    }

    private static AuthFault unknown(int type, int id) {
        return new AuthFault(AuthRefusal.unexpected(
                "The authentication message has a type (%02x/%02x) that its sender may not send.".formatted(type, id)));
    }
}
