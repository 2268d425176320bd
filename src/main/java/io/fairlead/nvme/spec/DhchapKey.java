package io.fairlead.nvme.spec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/**
 * A DH-HMAC-CHAP secret (NVM Express Base 2.0, section 8.13.5.8), whose text is {@code DHHC-1:HH:base64(secret ‖ CRC-32):}.
 *
 * <p>HH says how the secret is transformed before use: 00 not at all, 01 to 03 with the HMAC of that hash, and then the secret is as
 * long as the digest. The CRC-32 is that of IEEE 802.3, little-endian. The type cannot be printed: only {@link #reveal()} gives the
 * text. It has no {@code equals}, because comparing secrets has to be deliberate and takes constant time: {@link #matches}.
 * Immutable until {@link #wipe()}.
 */
public final class DhchapKey {

    /** What every textual key starts with. */
    public static final String PREFIX = "DHHC-1:";

    private static final int CRC_BYTES = 4;
    private static final int HASH_ID_CHARACTERS = 2;
    private static final int BASE64_GROUP_CHARACTERS = 4;

    private final Optional<DhchapHash> transformation;
    private final byte[] secret;

    private DhchapKey(Optional<DhchapHash> transformation, byte[] secret) {
        this.transformation = transformation;
        this.secret = secret;
    }

    /** What a text turned out to be. */
    public sealed interface Parsed {
        /** A key with every check passed. */
        record Valid(DhchapKey key) implements Parsed {}

        /**
         * Not a key.
         *
         * @param check the first check that failed, in the order of {@link Check}
         */
        record Invalid(Check check) implements Parsed {}
    }

    /** What is checked, in this order. The sentences never contain any part of the text. */
    public enum Check {
        PREFIX("The key does not start with \"DHHC-1:\"."),
        FORM("The key does not have the form DHHC-1:HH:base64: with two characters for HH, a final colon and nothing"
                + " after it."),
        HASH_ID("The hash identifier of the key is not 00, 01, 02 or 03."),
        BASE64("The part of the key between the last two colons is not base64."),
        LENGTH("The secret in the key is not 32, 48 or 64 bytes long."),
        LENGTH_OF_HASH(
                "The secret in the key is not as long as its hash identifier demands: 01 goes with 32 bytes, 02 with 48,"
                        + " 03 with 64."),
        CRC("The CRC-32 at the end of the key does not match its secret: the key was damaged or mistyped.");

        private final String sentence;

        Check(String sentence) {
            this.sentence = sentence;
        }

        /** What is wrong, for a person. */
        public String sentence() {
            return sentence;
        }
    }

    /** Reads the textual form. */
    public static Parsed parse(String text) {
        Objects.requireNonNull(text);
        if (!text.startsWith(PREFIX)) {
            return new Parsed.Invalid(Check.PREFIX);
        }
        int bodyStart = PREFIX.length() + HASH_ID_CHARACTERS + 1;
        int bodyEnd = text.length() - 1;
        if (bodyEnd < bodyStart
                || text.charAt(bodyStart - 1) != ':'
                || text.indexOf(':', bodyStart) != bodyEnd
                || text.lastIndexOf(':', bodyStart - 2) != PREFIX.length() - 1) {
            return new Parsed.Invalid(Check.FORM);
        }
        int hashId = hashId(text);
        if (hashId < 0) {
            return new Parsed.Invalid(Check.HASH_ID);
        }
        if ((bodyEnd - bodyStart) % BASE64_GROUP_CHARACTERS != 0) {
            // The JDK's decoder would take a body without its padding; other implementations do not.
            return new Parsed.Invalid(Check.BASE64);
        }
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(text.substring(bodyStart, bodyEnd));
        } catch (IllegalArgumentException notBase64) {
            return new Parsed.Invalid(Check.BASE64);
        }
        try {
            return check(DhchapHash.ofId(hashId), decoded);
        } finally {
            Arrays.fill(decoded, (byte) 0);
        }
    }

    private static int hashId(String text) {
        char tens = text.charAt(PREFIX.length());
        char units = text.charAt(PREFIX.length() + 1);
        return tens == '0' && units >= '0' && units <= '3' ? units - '0' : -1;
    }

    private static Parsed check(Optional<DhchapHash> transformation, byte[] decoded) {
        int secretBytes = decoded.length - CRC_BYTES;
        if (secretBytes != 32 && secretBytes != 48 && secretBytes != 64) {
            return new Parsed.Invalid(Check.LENGTH);
        }
        if (transformation.isPresent() && transformation.get().digestBytes() != secretBytes) {
            return new Parsed.Invalid(Check.LENGTH_OF_HASH);
        }
        int crc = ByteBuffer.wrap(decoded).order(ByteOrder.LITTLE_ENDIAN).getInt(secretBytes);
        if (crc != crc(decoded, secretBytes)) {
            return new Parsed.Invalid(Check.CRC);
        }
        return new Parsed.Valid(new DhchapKey(transformation, Arrays.copyOf(decoded, secretBytes)));
    }

    /** Makes a key of full strength for the hash. The generator has to be a cryptographic one, except in tests. */
    public static DhchapKey generate(DhchapHash hash, RandomGenerator random) {
        byte[] secret = new byte[hash.digestBytes()];
        random.nextBytes(secret);
        return new DhchapKey(Optional.of(hash), secret);
    }

    /** With which hash the secret is transformed before use; empty: it is used as it is. */
    public Optional<DhchapHash> transformation() {
        return transformation;
    }

    /** The textual form: the secret itself. Whoever calls this says aloud that the text leaves Fairlead's hands. */
    public String reveal() {
        ByteBuffer bytes = ByteBuffer.allocate(secret.length + CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(secret).putInt(crc(secret, secret.length));
        try {
            return PREFIX + "0" + transformation.map(DhchapHash::id).orElse(0) + ":"
                    + Base64.getEncoder().encodeToString(bytes.array()) + ":";
        } finally {
            Arrays.fill(bytes.array(), (byte) 0);
        }
    }

    /** A copy of the secret bytes, which the caller wipes when done. */
    public byte[] copySecret() {
        return secret.clone();
    }

    /** Whether both are the same secret with the same transformation, in time that tells nothing about where they differ. */
    public boolean matches(DhchapKey other) {
        return transformation.equals(other.transformation) && MessageDigest.isEqual(secret, other.secret);
    }

    /** Overwrites the secret; the key is of no use afterwards. */
    public void wipe() {
        Arrays.fill(secret, (byte) 0);
    }

    @Override
    public String toString() {
        return "DhchapKey[hidden]";
    }

    private static int crc(byte[] bytes, int length) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
