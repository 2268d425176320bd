package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies a drive as a head reports it. */
public record DriveId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public DriveId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static DriveId fromString(String text) {
        return new DriveId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
