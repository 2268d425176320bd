package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies a transport address of a head. */
public record ListenerId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ListenerId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static ListenerId fromString(String text) {
        return new ListenerId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
