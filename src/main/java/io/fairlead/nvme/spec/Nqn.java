package io.fairlead.nvme.spec;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rules of NVMe Qualified Names (NVM Express Base 2.0, section 4.5): a date code with a reversed domain name and an optional suffix,
 * or the UUID form. An NQN is compared whole, byte for byte; there is no canonical form.
 */
public final class Nqn {

    /** Most bytes of an NQN, without the NUL that ends it in 256-byte fields. */
    public static final int BYTES_MAX = 223;

    /** Every discovery service has this name unless it was given one of its own. */
    public static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    /** What comes before the UUID in the UUID form. */
    public static final String UUID_PREFIX = "nqn.2014-08.org.nvmexpress:uuid:";

    private static final String PREFIX = "nqn.";
    private static final Pattern DATE = Pattern.compile("nqn\\.\\d{4}-(?:0[1-9]|1[0-2])(?:\\..*|$)", Pattern.DOTALL);
    private static final Pattern DOMAIN = Pattern.compile(
            "nqn\\.\\d{4}-\\d{2}\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
                    + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::.*)?",
            Pattern.DOTALL);
    private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private Nqn() {}

    /** The first rule that the text breaks, as a sentence that says how to mend it; empty for an NQN. */
    public static Optional<String> flaw(String text) {
        if (text.isEmpty()) {
            return Optional.of("An NQN is not empty.");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > BYTES_MAX) {
            return Optional.of("An NQN has at most 223 bytes; this one has " + bytes + ".");
        }
        if (text.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.isWhitespace(c) || c == 0xA0)) {
            return Optional.of("An NQN has no spaces and no control characters; remove them.");
        }
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            return Optional.of("An NQN is valid UTF-8; this one has half of a surrogate pair.");
        }
        if (!text.startsWith(PREFIX)) {
            return Optional.of("An NQN starts with \"nqn.\" in lower case.");
        }
        if (!DATE.matcher(text).matches()) {
            return Optional.of("After \"nqn.\" comes a year and a month, such as 2026-12, and a dot.");
        }
        if (text.startsWith(UUID_PREFIX)
                && !UUID.matcher(text.substring(UUID_PREFIX.length())).matches()) {
            return Optional.of("After \"" + UUID_PREFIX + "\" comes a UUID of 36 characters and nothing else.");
        }
        if (!DOMAIN.matcher(text).matches()) {
            return Optional.of("After the date comes a reversed domain name of letters, digits, hyphens and dots,"
                    + " and then a colon and a name, or nothing.");
        }
        if (text.endsWith(":")) {
            return Optional.of("The name after the colon is missing; add it or leave the colon out.");
        }
        return Optional.empty();
    }
}
