package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The number of a head's desired state. It only grows; an older one loses against a newer one everywhere.
 *
 * @param value zero before the first intent, then one more per change
 */
public record Generation(@JsonValue long value) implements Comparable<Generation> {

    /** Before any intent was written. */
    public static final Generation NONE = new Generation(0);

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Generation {
        if (value < 0) {
            throw new IllegalArgumentException("a generation is never negative: " + value);
        }
    }

    public boolean isAfter(Generation other) {
        return value > other.value;
    }

    public Generation next() {
        return new Generation(Math.addExact(value, 1));
    }

    @Override
    public int compareTo(Generation other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
