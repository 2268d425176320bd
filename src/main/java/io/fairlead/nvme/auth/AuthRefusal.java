package io.fairlead.nvme.auth;

import java.util.Objects;

/**
 * Why an authentication was refused.
 *
 * @param check the check that failed
 * @param explanation what is told to the other side
 * @param sentence what is told to a person on this side; never a secret
 */
public record AuthRefusal(AuthCheck check, AuthExplanation explanation, String sentence) {
    public AuthRefusal {
        Objects.requireNonNull(check);
        Objects.requireNonNull(explanation);
        Objects.requireNonNull(sentence);
    }

    static AuthRefusal malformed(String sentence) {
        return new AuthRefusal(AuthCheck.PROTOCOL_ERROR, AuthExplanation.INCORRECT_PAYLOAD, sentence);
    }

    static AuthRefusal unexpected(String sentence) {
        return new AuthRefusal(AuthCheck.PROTOCOL_ERROR, AuthExplanation.INCORRECT_MESSAGE, sentence);
    }
}
