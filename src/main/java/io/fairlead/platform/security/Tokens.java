package io.fairlead.platform.security;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Makes and hashes bearer tokens: a prefix that says what the token is, so that a leaked one can be found by a scanner, and 256 random
 * bits. A plain SHA-256 is enough for those: there is nothing to guess, so nothing to slow down.
 */
@Singleton
public class Tokens {

    public static final String ADMINISTRATOR_PREFIX = "fla_";
    public static final String HEAD_PREFIX = "flh_";
    public static final String ENROLMENT_PREFIX = "fle_";

    private static final int TOKEN_BYTES = 32;

    private final SecureRandom random;

    @Inject
    public Tokens(SecureRandom random) {
        this.random = random;
    }

    public String next(String prefix) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What the database keeps of a token. */
    public static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
