package io.fairlead.platform;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import jakarta.ws.rs.core.EntityTag;
import java.util.Arrays;

/**
 * The version of a row as a strong entity tag (RFC 9110, sections 8.8.3 and 13.1.1). A change and a deletion must say which version
 * they are about.
 *
 * @param value the row's version column
 */
public record RowVersion(long value) {

    /** What {@code ResponseBuilder.tag} takes. */
    public EntityTag tag() {
        return new EntityTag(Long.toString(value));
    }

    /**
     * Lets only a request through that has seen this version.
     *
     * @param ifMatch the header as it came, or null
     */
    public void requireMatch(String ifMatch) {
        if (ifMatch == null || ifMatch.isBlank()) {
            throw Failure.of(
                    FailureCode.REQUEST_PRECONDITION_REQUIRED,
                    "Read the resource first and send its ETag in the If-Match header.");
        }
        boolean matches = Arrays.stream(ifMatch.split(",", -1))
                .map(String::strip)
                .anyMatch(tag -> tag.equals("*") || tag.equals("\"" + value + "\""));
        if (!matches) {
            throw Failure.of(
                            FailureCode.REQUEST_PRECONDITION_FAILED,
                            "Somebody changed the resource since you read it. Read it again and decide anew.")
                    .with("currentETag", "\"" + value + "\"");
        }
    }
}
