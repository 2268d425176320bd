package io.fairlead.platform;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldError;
import java.util.List;
import java.util.Map;

/**
 * A problem document (RFC 9457).
 *
 * @param type {@code urn:fairlead:problem:} and the failure's stable code
 * @param instance {@code urn:uuid:} and the id of the request, which is in the log too
 * @param errors what is wrong with single fields, each with its JSON pointer
 * @param extensions further members, such as {@code freeBytes}
 */
@JsonPropertyOrder({"type", "title", "status", "detail", "instance", "errors"})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        String instance,
        List<FieldError> errors,
        @JsonAnyGetter Map<String, Object> extensions) {

    public static final String MEDIA_TYPE = "application/problem+json";
    public static final String TYPE_PREFIX = "urn:fairlead:problem:";

    static Problem of(Failure failure, String requestId) {
        return new Problem(
                TYPE_PREFIX + failure.code().code(),
                failure.code().title(),
                statusOf(failure.code()),
                failure.getMessage(),
                requestId.isEmpty() ? "" : "urn:uuid:" + requestId,
                failure.errors(),
                failure.extensions());
    }

    /** The one place where a kind of failure becomes an HTTP status. */
    public static int statusOf(FailureCode code) {
        return switch (code.kind()) {
            case BAD_REQUEST -> 400;
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case CONFLICT -> 409;
            case PRECONDITION_FAILED -> 412;
            case TOO_LARGE -> 413;
            case MEDIA_TYPE -> 415;
            case UNPROCESSABLE -> 422;
            case PRECONDITION_REQUIRED -> 428;
            case INTERNAL -> 500;
            case UNAVAILABLE -> 503;
        };
    }
}
