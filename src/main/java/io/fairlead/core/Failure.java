package io.fairlead.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The one failure of the control plane. It carries two texts: the message is for the person who asked, {@link #internal()} for the
 * log. Neither ever holds a secret. HTTP is only the last step, in {@code platform}.
 */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final transient List<FieldError> errors;
    private final transient Map<String, Object> extensions;
    private final String internal;

    private Failure(
            FailureCode code,
            String detail,
            List<FieldError> errors,
            Map<String, Object> extensions,
            String internal,
            Throwable cause) {
        super(Objects.requireNonNull(detail), cause);
        this.code = Objects.requireNonNull(code);
        this.errors = List.copyOf(errors);
        this.extensions = Map.copyOf(extensions);
        this.internal = internal;
    }

    public static Failure of(FailureCode code, String detail) {
        return new Failure(code, detail, List.of(), Map.of(), "", null);
    }

    /** A failure that points at one field of the request. */
    public static Failure ofField(FailureCode code, String pointer, String detail) {
        return new Failure(code, detail, List.of(new FieldError(pointer, code.code(), detail)), Map.of(), "", null);
    }

    /** A failure that lists everything that is wrong with a request at once. */
    public static Failure ofFields(FailureCode code, List<FieldError> errors) {
        String detail = errors.size() == 1 ? errors.getFirst().detail() : errors.size() + " fields need correction.";
        return new Failure(code, detail, errors, Map.of(), "", null);
    }

    /** Adds a member to the problem document, such as {@code currentSize}. */
    public Failure with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(extensions);
        more.put(name, value);
        return new Failure(code, getMessage(), errors, more, internal, getCause());
    }

    /** Adds what only the log shall say. */
    public Failure because(String internalText, Throwable cause) {
        return new Failure(code, getMessage(), errors, extensions, internalText, cause);
    }

    public FailureCode code() {
        return code;
    }

    public List<FieldError> errors() {
        return errors == null ? List.of() : errors;
    }

    public Map<String, Object> extensions() {
        return extensions == null ? Map.of() : extensions;
    }

    public String internal() {
        return internal;
    }
}
