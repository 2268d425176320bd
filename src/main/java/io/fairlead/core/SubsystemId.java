package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies an NVM subsystem. */
public record SubsystemId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public SubsystemId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static SubsystemId fromString(String text) {
        return new SubsystemId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
