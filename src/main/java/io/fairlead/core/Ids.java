package io.fairlead.core;

import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes and reads the UUIDs behind the typed ids. */
public final class Ids {

    private final InstantSource clock;
    private final RandomGenerator random;

    public Ids(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** A UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds, then 74 random bits. Sorts by time of creation. */
    public UUID next() {
        long millis = clock.millis() & 0xFFFF_FFFF_FFFFL;
        long high = millis << 16 | 0x7000 | random.nextLong() & 0x0FFF;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /**
     * Reads the canonical 36-character form only; {@link UUID#fromString} also accepts shortened groups.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static UUID parse(String text) {
        if (text == null || text.length() != 36) {
            throw new IllegalArgumentException("not a UUID of 36 characters");
        }
        return UUID.fromString(text);
    }
}
