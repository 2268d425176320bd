package io.fairlead.nvme.auth;

import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The response to a challenge (NVM Express Base 2.0, section 8.13.5.3 and 8.13.5.4): HMAC, under the transformed key, of
 * {@code Ca ‖ SEQNUM ‖ T_ID ‖ SC_C ‖ role ‖ NQN of the prover ‖ 00 ‖ NQN of the verifier}.
 *
 * <p>With a Diffie-Hellman exchange the challenge is augmented: {@code Ca = HMAC(H(shared secret), C)}. The key is transformed with the
 * hash that its text names, not with the one that was negotiated (section 8.13.5.8).
 *
 * @param role who proves itself
 * @param proverNqn its NQN
 * @param verifierNqn the NQN of the other side
 * @param hash what was negotiated
 * @param transactionId T_ID
 * @param sequence SEQNUM that came with the challenge
 */
record DhchapResponse(
        Role role, String proverNqn, String verifierNqn, DhchapHash hash, int transactionId, int sequence) {

    private static final byte[] TRANSFORMATION_LABEL = "NVMe-over-Fabrics".getBytes(StandardCharsets.US_ASCII);
    /** SC_C: without a secure channel. */
    private static final byte NO_CONCATENATION = 0;

    enum Role {
        HOST("HostHost"),
        CONTROLLER("Controller");

        private final byte[] label;

        Role(String label) {
            this.label = label.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** The response; comparing it with what came from outside takes {@link MessageDigest#isEqual}. */
    byte[] compute(DhchapKey key, byte[] challenge, byte[] sharedSecret) {
        byte[] transformed = transform(key, proverNqn);
        byte[] augmented = augment(challenge, sharedSecret);
        try (WipedKey macKey = new WipedKey(transformed)) {
            Mac mac = mac(hash, macKey);
            mac.update(augmented);
            updateLittleEndian(mac, sequence, Integer.BYTES);
            updateLittleEndian(mac, transactionId, Short.BYTES);
            mac.update(NO_CONCATENATION);
            mac.update(role.label);
            mac.update(proverNqn.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(verifierNqn.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal();
        } finally {
            Arrays.fill(augmented, (byte) 0);
        }
    }

    private static void updateLittleEndian(Mac mac, int value, int bytes) {
        for (int index = 0; index < bytes; index++) {
            mac.update((byte) (value >>> (index * Byte.SIZE)));
        }
    }

    static byte[] transform(DhchapKey key, String nqn) {
        byte[] secret = key.copySecret();
        if (key.transformation().isEmpty()) {
            return secret;
        }
        try (WipedKey macKey = new WipedKey(secret)) {
            Mac mac = mac(key.transformation().get(), macKey);
            mac.update(nqn.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(TRANSFORMATION_LABEL);
        }
    }

    private byte[] augment(byte[] challenge, byte[] sharedSecret) {
        if (sharedSecret.length == 0) {
            return challenge.clone();
        }
        try (WipedKey macKey = new WipedKey(digest(hash, sharedSecret))) {
            return mac(hash, macKey).doFinal(challenge);
        }
    }

    private static byte[] digest(DhchapHash hash, byte[] bytes) {
        try {
            return MessageDigest.getInstance(
                            switch (hash) {
                                case SHA_256 -> "SHA-256";
                                case SHA_384 -> "SHA-384";
                                case SHA_512 -> "SHA-512";
                            })
                    .digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("this Java runtime lacks the hash " + hash.label(), impossible);
        }
    }

    private static Mac mac(DhchapHash hash, SecretKey key) {
        try {
            Mac mac = Mac.getInstance(
                    switch (hash) {
                        case SHA_256 -> "HmacSHA256";
                        case SHA_384 -> "HmacSHA384";
                        case SHA_512 -> "HmacSHA512";
                    });
            mac.init(key);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("this Java runtime lacks the HMAC of " + hash.label(), impossible);
        }
    }

    /** Unlike the JDK's own key class, this one can be wiped. Takes the array over. */
    private static final class WipedKey implements SecretKey, AutoCloseable {

        private static final long serialVersionUID = 1L;

        private final transient byte[] bytes;

        WipedKey(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public String getAlgorithm() {
            return "RAW";
        }

        @Override
        public String getFormat() {
            return "RAW";
        }

        @Override
        public byte[] getEncoded() {
            return bytes.clone();
        }

        @Override
        public void close() {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
