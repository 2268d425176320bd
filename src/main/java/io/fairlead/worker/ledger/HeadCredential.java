package io.fairlead.worker.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;

/** The head's bearer credential. Written to the ledger, sent to the management plane, never printed. */
public final class HeadCredential {

    private final String text;

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public HeadCredential(String text) {
        this.text = Objects.requireNonNull(text);
    }

    @JsonValue
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeadCredential credential && credential.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "HeadCredential[hidden]";
    }
}
