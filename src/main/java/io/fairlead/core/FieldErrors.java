package io.fairlead.core;

import java.util.ArrayList;
import java.util.List;

/** Collects everything that is wrong with a request, so that a person mends it in one go. Not thread-safe; one per request. */
public final class FieldErrors {

    private final List<FieldError> errors = new ArrayList<>();
    private FailureCode first;

    /** Notes one error; {@code pointer} and {@code detail} as in {@link FieldError}. */
    public void add(FailureCode code, String pointer, String detail) {
        if (first == null) {
            first = code;
        }
        errors.add(new FieldError(pointer, code.code(), detail));
    }

    /** Notes an absent field. */
    public void required(String pointer) {
        add(FailureCode.REQUEST_INVALID, pointer, "This field is required.");
    }

    /** Fails with the one error's own code, or with {@link FailureCode#REQUEST_INVALID} when there are several. */
    public void throwIfAny() {
        if (!errors.isEmpty()) {
            throw Failure.ofFields(errors.size() == 1 ? first : FailureCode.REQUEST_INVALID, errors);
        }
    }
}
