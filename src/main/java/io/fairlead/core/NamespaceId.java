package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies a namespace of a subsystem. */
public record NamespaceId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public NamespaceId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static NamespaceId fromString(String text) {
        return new NamespaceId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
