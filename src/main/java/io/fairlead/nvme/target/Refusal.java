package io.fairlead.nvme.target;

import io.fairlead.nvme.auth.AuthCheck;

/**
 * A host that was not let in, and why.
 *
 * @param peerAddress where it came from
 * @param sentence for a person; never a secret
 */
public record Refusal(Check check, String hostNqn, String subsystemNqn, String peerAddress, String sentence) {

    /** Which check failed. */
    public enum Check {
        HOST_NOT_ALLOWED,
        SUBSYSTEM_UNKNOWN,
        KEY_NOT_PRESENTED,
        KEY_MISMATCH,
        HASH_NOT_OFFERED,
        DH_GROUP_NOT_OFFERED,
        CONTROLLER_KEY_MISSING,
        CONTROLLER_PROOF_REFUSED,
        PROTOCOL_ERROR;

        static Check of(AuthCheck check) {
            return switch (check) {
                case KEY_NOT_PRESENTED -> KEY_NOT_PRESENTED;
                case KEY_MISMATCH -> KEY_MISMATCH;
                case HASH_NOT_OFFERED -> HASH_NOT_OFFERED;
                case DH_GROUP_NOT_OFFERED -> DH_GROUP_NOT_OFFERED;
                case CONTROLLER_KEY_MISSING -> CONTROLLER_KEY_MISSING;
                case CONTROLLER_PROOF_REFUSED -> CONTROLLER_PROOF_REFUSED;
                case PROTOCOL_ERROR -> PROTOCOL_ERROR;
            };
        }
    }
}
