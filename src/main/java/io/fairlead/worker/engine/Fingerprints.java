package io.fairlead.worker.engine;

import io.fairlead.contract.DhchapSecret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One-way summaries by which two secrets can be compared without keeping either. */
public final class Fingerprints {

    private Fingerprints() {}

    /** SHA-256 over everything that makes a host spec what it is, secrets included. */
    public static String of(TargetSpec.HostSpec host) {
        MessageDigest digest = sha256();
        feed(digest, host.nqn());
        feed(digest, String.valueOf(host.hostIdentifier()));
        host.authentication().ifPresent(authentication -> {
            feed(digest, authentication.hostSecret().reveal());
            feed(
                    digest,
                    authentication.controllerSecret().map(DhchapSecret::reveal).orElse(""));
            feed(digest, authentication.hash().name());
            feed(digest, authentication.dhGroup().name());
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void feed(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((byte) (bytes.length >>> 8));
        digest.update((byte) bytes.length);
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
