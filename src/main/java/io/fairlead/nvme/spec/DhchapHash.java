package io.fairlead.nvme.spec;

import java.util.Optional;

/** Hash functions of DH-HMAC-CHAP (NVM Express Base 2.0, section 8.13.5.2: hash function identifiers). */
public enum DhchapHash {
    SHA_256(1, 32, "sha256"),
    SHA_384(2, 48, "sha384"),
    SHA_512(3, 64, "sha512");

    /** The longest digest of all: what a buffer for any of them needs. */
    public static final int DIGEST_BYTES_MAX = 64;

    private final int id;
    private final int digestBytes;
    private final String label;

    DhchapHash(int id, int digestBytes, String label) {
        this.id = id;
        this.digestBytes = digestBytes;
        this.label = label;
    }

    /** The identifier on the wire and in the textual key. */
    public int id() {
        return id;
    }

    /** Length of a digest, hence of a challenge and of a response. */
    public int digestBytes() {
        return digestBytes;
    }

    /** The name that Linux uses, for people: {@code sha512}. */
    public String label() {
        return label;
    }

    /** The hash of an identifier that came from outside; empty for one that does not exist. */
    public static Optional<DhchapHash> ofId(int id) {
        return switch (id) {
            case 1 -> Optional.of(SHA_256);
            case 2 -> Optional.of(SHA_384);
            case 3 -> Optional.of(SHA_512);
            default -> Optional.empty();
        };
    }
}
