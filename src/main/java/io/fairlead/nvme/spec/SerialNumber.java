package io.fairlead.nvme.spec;

import java.util.Optional;

/**
 * The rules of a subsystem's serial number (NVM Express Base 2.0, Identify Controller, SN): 20 bytes of ASCII, padded with spaces. Because
 * of the padding, a serial number with a space at its end cannot be told from one without.
 */
public final class SerialNumber {

    public static final int CHARACTERS_MAX = 20;

    private SerialNumber() {}

    /** The first rule that the text breaks, as a sentence that says how to mend it; empty for a serial number. */
    public static Optional<String> flaw(String text) {
        if (text.isEmpty()) {
            return Optional.of("A serial number is not empty; leave it out to have one generated.");
        }
        if (text.chars().anyMatch(c -> c < 0x20 || c > 0x7E)) {
            return Optional.of("A serial number has printable ASCII characters only.");
        }
        if (text.length() > CHARACTERS_MAX) {
            return Optional.of("A serial number has at most 20 characters; this one has " + text.length() + ".");
        }
        if (text.startsWith(" ") || text.endsWith(" ")) {
            return Optional.of("A serial number has no space at either end: hosts could not tell it from one without.");
        }
        return Optional.empty();
    }
}
