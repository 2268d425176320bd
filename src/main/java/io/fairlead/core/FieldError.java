package io.fairlead.core;

import java.util.Objects;

/**
 * What is wrong with one field of a request.
 *
 * @param pointer RFC 6901 JSON pointer into the request body, for example {@code /hosts/0/nqn}; for a query or path parameter its name
 *     after {@code ?}, for example {@code ?limit}
 * @param code the stable kind of this error, the same vocabulary as {@link FailureCode#code()}
 * @param detail a sentence that tells a person what to do
 */
public record FieldError(String pointer, String code, String detail) {
    public FieldError {
        Objects.requireNonNull(pointer);
        Objects.requireNonNull(code);
        Objects.requireNonNull(detail);
    }
}
