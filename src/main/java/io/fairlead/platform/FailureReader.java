package io.fairlead.platform;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.IgnoredPropertyException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldError;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads any exception of the frameworks below as the {@link Failure} that it means. */
final class FailureReader {

    private FailureReader() {}

    static Failure read(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            Optional<Failure> meant = readOne(cause);
            if (meant.isPresent()) {
                return meant.get();
            }
        }
        if (thrown instanceof WebApplicationException web) {
            return ofStatus(web);
        }
        return Failure.of(
                        FailureCode.INTERNAL,
                        "This should not have happened. The log has an entry under the id in 'instance'.")
                .because("unexpected " + thrown.getClass().getName(), thrown);
    }

    private static Optional<Failure> readOne(Throwable cause) {
        return switch (cause) {
            case Failure failure -> Optional.of(failure);
            case ConstraintViolationException violations -> Optional.of(ofViolations(violations));
            case JacksonException json -> Optional.of(ofJson(json));
            case UnauthorizedException unauthorized -> Optional.of(unauthenticated(unauthorized));
            case AuthenticationFailedException failed -> Optional.of(unauthenticated(failed));
            case ForbiddenException forbidden ->
                Optional.of(
                        Failure.of(FailureCode.REQUEST_FORBIDDEN, "Ask with a credential that has the role for this.")
                                .because("forbidden", forbidden));
            case SQLException sql when isConnectionLost(sql) -> Optional.of(databaseAway(sql));
            default -> Optional.empty();
        };
    }

    private static Failure unauthenticated(Throwable cause) {
        return Failure.of(
                        FailureCode.REQUEST_UNAUTHENTICATED,
                        "Send a valid token in the header 'Authorization: Bearer <token>'.")
                .because("no valid credential", cause);
    }

    /** SQLSTATE classes 08 (connection), 57 (operator intervention: shutdown, crash) and 53 (too many connections). */
    static boolean isConnectionLost(SQLException sql) {
        String state = sql.getSQLState();
        if (state != null) {
            return state.startsWith("08") || state.startsWith("57P") || state.startsWith("53");
        }
        // The pool throws without a state when no connection came in time.
        return sql.getMessage() != null && sql.getMessage().contains("cquisition timeout");
    }

    private static Failure databaseAway(SQLException sql) {
        return Failure.of(
                        FailureCode.DATABASE_UNAVAILABLE,
                        "The database does not answer. Heads go on serving; ask again when it is back.")
                .because(String.valueOf(sql.getMessage()), sql);
    }

    private static Failure ofViolations(ConstraintViolationException violations) {
        List<FieldError> errors = violations.getConstraintViolations().stream()
                .map(FailureReader::fieldError)
                .sorted(java.util.Comparator.comparing(FieldError::pointer).thenComparing(FieldError::detail))
                .toList();
        return Failure.ofFields(FailureCode.REQUEST_INVALID, errors).because("constraints", violations);
    }

    /** A violation's path is {@code method.parameter.field[0].field}; the body's pointer starts after the parameter. */
    private static FieldError fieldError(ConstraintViolation<?> violation) {
        String[] path = violation.getPropertyPath().toString().split("\\.", -1);
        String pointer = Arrays.stream(path)
                .skip(Math.min(2, path.length))
                .map(part -> part.replace("[", "/").replace("]", ""))
                .filter(part -> !part.equals("<list element>"))
                .map(part -> "/" + part)
                .collect(Collectors.joining());
        return new FieldError(pointer, FailureCode.REQUEST_INVALID.code(), violation.getMessage());
    }

    private static Failure ofJson(JacksonException json) {
        return switch (json) {
            case UnrecognizedPropertyException unknown -> {
                List<String> known = new ArrayList<>();
                if (unknown.getKnownPropertyIds() != null) {
                    unknown.getKnownPropertyIds().forEach(id -> known.add(String.valueOf(id)));
                }
                yield Failure.ofField(
                                FailureCode.REQUEST_UNKNOWN_FIELD,
                                pointerOf(unknown),
                                "There is no field '" + unknown.getPropertyName() + "' here. Known fields: "
                                        + String.join(
                                                ", ", known.stream().sorted().toList()) + ".")
                        .because("unknown field", json);
            }
            case IgnoredPropertyException ignored ->
                Failure.ofField(
                                FailureCode.REQUEST_UNKNOWN_FIELD,
                                pointerOf(ignored),
                                "The field '" + ignored.getPropertyName() + "' cannot be set.")
                        .because("ignored field", json);
            // A number too large for its field is JSON all the same.
            case JsonMappingException mapping
            when mapping.getCause() instanceof InputCoercionException -> wrongType(mapping);
            case JsonMappingException mapping
            when mapping.getCause() instanceof StreamReadException stream
                    && !(stream instanceof InputCoercionException) -> malformed(stream);
            // Jackson blames text after the value on the type of the value.
            case JsonMappingException mapping
            when mapping.getOriginalMessage() != null
                    && mapping.getOriginalMessage().startsWith("Trailing token") -> malformed(mapping);
            case JsonMappingException mapping -> wrongType(mapping);
            default -> malformed(json);
        };
    }

    private static Failure wrongType(JsonMappingException mapping) {
        String expected = mapping instanceof InvalidFormatException format
                        && format.getTargetType() != null
                        && format.getTargetType().isEnum()
                ? "one of " + enumValues(format.getTargetType())
                : mapping instanceof com.fasterxml.jackson.databind.exc.MismatchedInputException mismatch
                                && mismatch.getTargetType() != null
                        ? "a value of type " + nameOf(mismatch.getTargetType())
                        : "a value of the documented type";
        return Failure.ofField(FailureCode.REQUEST_WRONG_TYPE, pointerOf(mapping), "Expected " + expected + ".")
                .because("wrong type", mapping);
    }

    private static String enumValues(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String nameOf(Class<?> type) {
        if (type == long.class || type == int.class || type == Long.class || type == Integer.class) {
            return "integer";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        if (java.util.Collection.class.isAssignableFrom(type)) {
            return "array";
        }
        return type == String.class ? "string" : type == java.util.UUID.class ? "UUID" : "object";
    }

    private static Failure malformed(JacksonException json) {
        var at = json.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return Failure.of(FailureCode.REQUEST_MALFORMED, "The body stops being JSON" + where + ".")
                .because("malformed JSON", json);
    }

    private static String pointerOf(JsonMappingException mapping) {
        return mapping.getPath().stream()
                .map(step -> step.getFieldName() == null
                        ? Integer.toString(step.getIndex())
                        : step.getFieldName().replace("~", "~0").replace("/", "~1"))
                .map(step -> "/" + step)
                .collect(Collectors.joining());
    }

    private static Failure ofStatus(WebApplicationException web) {
        return switch (web.getResponse().getStatus()) {
            case 400 ->
                Failure.of(FailureCode.REQUEST_MALFORMED, "The request cannot be read.")
                        .because("bad request", web);
            case 401 -> unauthenticated(web);
            case 403 -> Failure.of(FailureCode.REQUEST_FORBIDDEN, "Ask with a credential that has the role for this.");
            case 404 -> Failure.of(FailureCode.REQUEST_NOT_FOUND, "Look up the address in the API's description.");
            case 405 ->
                Failure.of(
                        FailureCode.REQUEST_METHOD_NOT_ALLOWED,
                        "Use one of the methods that the API's description lists.");
            case 406 ->
                Failure.of(
                        FailureCode.REQUEST_UNSUPPORTED,
                        "Accept application/json, or text/event-stream where events are.");
            case 413 -> Failure.of(FailureCode.REQUEST_TOO_LARGE, "Send a smaller body.");
            case 415 -> Failure.of(FailureCode.REQUEST_MEDIA_TYPE, "Send application/json as the Content-Type.");
            default ->
                Failure.of(FailureCode.INTERNAL, "This should not have happened.")
                        .because("status " + web.getResponse().getStatus(), web);
        };
    }
}
