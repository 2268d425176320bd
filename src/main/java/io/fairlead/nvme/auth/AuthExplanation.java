package io.fairlead.nvme.auth;

import java.util.Optional;

/**
 * Reason code explanations of AUTH_Failure1 and AUTH_Failure2 (NVM Express Base 2.0, section 8.13.5.6 and 8.13.5.7); the only reason
 * code is {@link #REASON_CODE}.
 */
public enum AuthExplanation {
    FAILED(1, "authentication failed"),
    PROTOCOL_NOT_USABLE(2, "authentication protocol not usable"),
    CONCATENATION_MISMATCH(3, "secure channel concatenation mismatch"),
    HASH_NOT_USABLE(4, "hash function not usable"),
    DH_GROUP_NOT_USABLE(5, "Diffie-Hellman group not usable"),
    INCORRECT_PAYLOAD(6, "incorrect payload"),
    INCORRECT_MESSAGE(7, "incorrect protocol message");

    /** Authentication failure. */
    public static final int REASON_CODE = 1;

    private final int code;
    private final String sentence;

    AuthExplanation(int code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    /** The value on the wire. */
    public int code() {
        return code;
    }

    /** In the words of the specification, for people. */
    public String sentence() {
        return sentence;
    }

    /** The explanation of a code that came from outside; empty for one that does not exist. */
    public static Optional<AuthExplanation> ofCode(int code) {
        for (AuthExplanation explanation : values()) {
            if (explanation.code == code) {
                return Optional.of(explanation);
            }
        }
        return Optional.empty();
    }
}
