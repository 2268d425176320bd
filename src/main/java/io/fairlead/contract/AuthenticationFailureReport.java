package io.fairlead.contract;

import java.time.Instant;

/**
 * A refused connection or authentication, explained.
 *
 * @param id unique per failure, so that a repeated report is recorded once
 * @param hostNqn as the host gave it in Connect
 * @param subsystemNqn as the host asked for it
 * @param traddr where the host came from
 * @param check {@link Check}
 * @param detail a sentence for a person; never a secret
 */
public record AuthenticationFailureReport(
        java.util.UUID id, Instant at, String hostNqn, String subsystemNqn, String traddr, Check check, String detail) {

    /** Which check failed. */
    public enum Check {
        /** The host is not in the subsystem's list. */
        HOST_NOT_ALLOWED,
        /** No such subsystem here. */
        SUBSYSTEM_UNKNOWN,
        /** The host sent an I/O or admin command, or disconnected, instead of authenticating. */
        KEY_NOT_PRESENTED,
        /** The host's response does not match its key. */
        KEY_MISMATCH,
        /** The host did not offer the hash that is required. */
        HASH_NOT_OFFERED,
        /** The host did not offer the DH group that is required. */
        DH_GROUP_NOT_OFFERED,
        /** The host asked for a proof of the controller, and the controller has no key. */
        CONTROLLER_KEY_MISSING,
        /** The host refused the controller's proof (it sent AUTH_Failure2). */
        CONTROLLER_PROOF_REFUSED,
        /** The messages themselves were malformed. */
        PROTOCOL_ERROR
    }
}
