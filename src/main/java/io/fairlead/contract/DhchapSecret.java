package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;

/**
 * A DH-HMAC-CHAP secret in its textual form {@code DHHC-1:HH:base64:}, on its way to a head that serves the host. It is written to
 * JSON, because that is its purpose, but never printed. Views of the REST API must not contain this type (ArchUnit keeps it).
 */
public final class DhchapSecret {

    private final String text;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public DhchapSecret(String text) {
        this.text = Objects.requireNonNull(text);
    }

    /** The secret itself. Callers pass it to the engine and keep no copy. */
    @JsonValue
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DhchapSecret secret && secret.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "DhchapSecret[hidden]";
    }
}
