package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies the record of one requested change. */
public record JobId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public JobId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static JobId fromString(String text) {
        return new JobId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
