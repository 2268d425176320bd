package io.fairlead.contract;

import java.util.Objects;

/**
 * Why an object is not READY.
 *
 * @param code stable, dotted, for programs: {@code listener.address_absent}, {@code namespace.device_absent}, …
 * @param text a sentence that tells a person what is wrong and what to do
 */
public record Reason(String code, String text) {
    public Reason {
        Objects.requireNonNull(code);
        Objects.requireNonNull(text);
    }
}
