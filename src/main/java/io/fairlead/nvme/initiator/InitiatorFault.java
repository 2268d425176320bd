package io.fairlead.nvme.initiator;

import io.fairlead.nvme.auth.AuthCheck;
import io.fairlead.nvme.auth.AuthRefusal;
import java.util.Optional;

/** Why a host did not get what it asked for. The message is one sentence for a person. */
public final class InitiatorFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final AuthCheck check;

    /** What stood in the way. The codes are stable, for programs. */
    public enum Kind {
        /** Nobody answers at the address, or it cannot be reached. */
        UNREACHABLE("host.unreachable"),
        /** The connection ended while an answer was due. */
        CONNECTION_LOST("host.connection_lost"),
        /** The answer did not come in time. */
        TIMED_OUT("host.timed_out"),
        /** The other side broke the rules of the transport. */
        TRANSPORT_BROKEN("host.transport_broken"),
        /** The subsystem does not let this host in. */
        HOST_NOT_ALLOWED("host.not_allowed"),
        /** There is no such subsystem at the address. */
        SUBSYSTEM_UNKNOWN("host.subsystem_unknown"),
        /** The subsystem wants authentication, and this host has no key. */
        KEY_REQUIRED("host.key_required"),
        /** The authentication was refused, by one side or the other. */
        AUTHENTICATION_REFUSED("host.authentication_refused"),
        /** Connect was refused for another reason. */
        CONNECT_REFUSED("host.connect_refused"),
        /** The controller answers what no host can work with. */
        CONTROLLER_UNSUITABLE("host.controller_unsuitable"),
        /** A command ended with an error status. */
        COMMAND_FAILED("host.command_failed");

        private final String code;

        Kind(String code) {
            this.code = code;
        }

        public String code() {
            return code;
        }
    }

    private InitiatorFault(Kind kind, AuthCheck check, String sentence, Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
        this.check = check;
    }

    public static InitiatorFault of(Kind kind, String sentence) {
        return new InitiatorFault(kind, null, sentence, null);
    }

    public static InitiatorFault of(Kind kind, String sentence, Throwable cause) {
        return new InitiatorFault(kind, null, sentence, cause);
    }

    /** The same fault with the stack of whoever is told of it now; the first one is its cause. */
    public static InitiatorFault sameAs(InitiatorFault fault) {
        return new InitiatorFault(fault.kind, fault.check, fault.getMessage(), fault);
    }

    static InitiatorFault keyRequired() {
        return new InitiatorFault(
                Kind.KEY_REQUIRED,
                AuthCheck.KEY_NOT_PRESENTED,
                "The subsystem demands authentication (DH-HMAC-CHAP), and this host was given no key.",
                null);
    }

    static InitiatorFault authentication(AuthRefusal refusal) {
        return new InitiatorFault(Kind.AUTHENTICATION_REFUSED, refusal.check(), refusal.sentence(), null);
    }

    public Kind kind() {
        return kind;
    }

    /** Which check of the authentication failed, if that was it. */
    public Optional<AuthCheck> check() {
        return Optional.ofNullable(check);
    }
}
