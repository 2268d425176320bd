package io.fairlead.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.UUID;

/** Identifies one DH-HMAC-CHAP key of a host. */
public record HostKeyId(@JsonValue UUID value) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public HostKeyId {
        Objects.requireNonNull(value);
    }

    /** JAX-RS and Jackson find it by this name; an argument that is not a UUID is an {@link IllegalArgumentException}. */
    public static HostKeyId fromString(String text) {
        return new HostKeyId(Ids.parse(text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
