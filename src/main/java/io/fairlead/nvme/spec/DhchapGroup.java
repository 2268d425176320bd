package io.fairlead.nvme.spec;

import java.util.Optional;

/**
 * Diffie-Hellman groups of DH-HMAC-CHAP (NVM Express Base 2.0, section 8.13.5.2: DH group identifiers); the finite-field groups are
 * those of RFC 7919.
 */
public enum DhchapGroup {
    /** No Diffie-Hellman exchange: a listener who learns the key later can tell who was who. */
    NULL(0, 0, "null"),
    FFDHE_2048(1, 256, "ffdhe2048"),
    FFDHE_3072(2, 384, "ffdhe3072"),
    FFDHE_4096(3, 512, "ffdhe4096"),
    FFDHE_6144(4, 768, "ffdhe6144"),
    FFDHE_8192(5, 1024, "ffdhe8192");

    private final int id;
    private final int valueBytes;
    private final String label;

    DhchapGroup(int id, int valueBytes, String label) {
        this.id = id;
        this.valueBytes = valueBytes;
        this.label = label;
    }

    /** The identifier on the wire. */
    public int id() {
        return id;
    }

    /** Length of a public value and of the shared secret; 0 without an exchange. */
    public int valueBytes() {
        return valueBytes;
    }

    /** The name that Linux uses, for people: {@code ffdhe2048}. */
    public String label() {
        return label;
    }

    /** The group of an identifier that came from outside; empty for one that does not exist. */
    public static Optional<DhchapGroup> ofId(int id) {
        return switch (id) {
            case 0 -> Optional.of(NULL);
            case 1 -> Optional.of(FFDHE_2048);
            case 2 -> Optional.of(FFDHE_3072);
            case 3 -> Optional.of(FFDHE_4096);
            case 4 -> Optional.of(FFDHE_6144);
            case 5 -> Optional.of(FFDHE_8192);
            default -> Optional.empty();
        };
    }
}
