package io.fairlead.platform;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Ids;
import jakarta.ws.rs.QueryParam;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;

/**
 * Which page of a list is asked for; a {@code @BeanParam} of every list. Pages follow the id, which grows with the time of creation: a
 * row that is added while somebody pages is seen at the end, and none is seen twice.
 */
public class PageQuery {

    public static final int LIMIT_DEFAULT = 100;
    public static final int LIMIT_MAX = 500;

    /** Sorts before every id. */
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private static final String TOKEN_VERSION = "1:";

    // Text, so that something that is no number becomes a problem document that names it.
    @QueryParam("limit")
    @Parameter(
            description = "How many items at most, 1 to 500; 100 unless told",
            schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "500", defaultValue = "100"))
    String limit;

    @QueryParam("pageToken")
    @Parameter(description = "The nextPageToken of the page before")
    String pageToken;

    public int limit() {
        if (limit == null) {
            return LIMIT_DEFAULT;
        }
        try {
            int value = Integer.parseInt(limit);
            if (value >= 1 && value <= LIMIT_MAX) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw notALimit().because("", e);
        }
        throw notALimit();
    }

    private static Failure notALimit() {
        return Failure.ofField(
                FailureCode.REQUEST_INVALID, "?limit", "Send a limit from 1 to " + LIMIT_MAX + ", or none.");
    }

    /** How many rows to read: one more than the page holds tells whether there is a next page. */
    public int rowsMax() {
        return limit() + 1;
    }

    /** The page starts after this id. */
    public UUID after() {
        if (pageToken == null) {
            return BEFORE_ALL;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(pageToken), StandardCharsets.US_ASCII);
            if (text.startsWith(TOKEN_VERSION)) {
                return Ids.parse(text.substring(TOKEN_VERSION.length()));
            }
        } catch (IllegalArgumentException e) {
            throw notAToken().because("", e);
        }
        throw notAToken();
    }

    private static Failure notAToken() {
        return Failure.ofField(
                FailureCode.REQUEST_INVALID, "?pageToken", "Send the nextPageToken of the page before as it was.");
    }

    static String tokenAfter(UUID id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((TOKEN_VERSION + id).getBytes(StandardCharsets.US_ASCII));
    }
}
