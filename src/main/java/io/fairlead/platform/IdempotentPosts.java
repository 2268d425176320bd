package io.fairlead.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.platform.database.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Does a POST once, however often it is sent with the same {@code Idempotency-Key}. The key's row, the change and the answer are one
 * transaction: a second request with the key waits for the first one's row, then gets its answer; a request that failed leaves no row
 * and may be sent again. Answers are sealed, because an answer may show a secret, once.
 */
@Singleton
public class IdempotentPosts {

    static final String HEADER = "Idempotency-Key";
    static final Duration KEPT = Duration.ofHours(24);

    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private final RequestContext request;
    private final SecurityIdentity identity;
    private final Sql sql;
    private final Sealer sealer;
    private final ObjectMapper json;
    private final InstantSource clock;

    /** An answer as it is kept. */
    record Kept(int status, Map<String, String> headers, JsonNode entity) {}

    @Inject
    public IdempotentPosts(
            RequestContext request,
            SecurityIdentity identity,
            Sql sql,
            Sealer sealer,
            ObjectMapper json,
            InstantSource clock) {
        this.request = request;
        this.identity = identity;
        this.sql = sql;
        this.sealer = sealer;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Runs the action in a transaction, unless the current request is the repetition of one that was answered.
     *
     * @param action makes the change and the answer; a {@link Failure} undoes the change
     */
    public Response once(Supplier<Response> action) {
        return QuarkusTransaction.joiningExisting()
                .call(() -> request.idempotencyKey()
                        .map(key -> onceWith(key, action))
                        .orElseGet(action));
    }

    private Response onceWith(String key, Supplier<Response> action) {
        if (!KEY.matcher(key).matches()) {
            throw Failure.of(
                    FailureCode.REQUEST_INVALID, "The Idempotency-Key has to be 1 to 255 printable ASCII characters.");
        }
        String principal = identity.getPrincipal().getName();
        sql.update(
                "delete from idempotency_key where principal = ? and request = ? and key = ? and created_at < ?",
                principal,
                request.request(),
                key,
                clock.instant().minus(KEPT));
        int added = sql.update(
                "insert into idempotency_key (principal, request, key, body_hash, created_at) values (?, ?, ?, ?, ?)"
                        + " on conflict do nothing",
                principal,
                request.request(),
                key,
                request.bodyHash(),
                clock.instant());
        if (added == 0) {
            return repeat(principal, key);
        }
        Response answer = action.get();
        sql.update(
                "update idempotency_key set answer = ? where principal = ? and request = ? and key = ?",
                sealer.seal(toBytes(answer), context(principal, key)),
                principal,
                request.request(),
                key);
        return answer;
    }

    private Response repeat(String principal, String key) {
        record Row(byte[] bodyHash, byte[] answer) {}
        Row row = sql.first(
                        "select body_hash, answer from idempotency_key where principal = ? and request = ? and key = ?",
                        found -> new Row(found.getBytes(1), found.getBytes(2)),
                        principal,
                        request.request(),
                        key)
                .orElseThrow(() -> new IllegalStateException("the row of an idempotency key went while it was locked"));
        if (!MessageDigest.isEqual(row.bodyHash(), request.bodyHash())) {
            throw Failure.of(
                    FailureCode.REQUEST_IDEMPOTENCY_MISMATCH,
                    "This Idempotency-Key came with another body before. Use a new key for a new request.");
        }
        try {
            Kept kept = json.readValue(sealer.open(row.answer(), context(principal, key)), Kept.class);
            Response.ResponseBuilder answer = Response.status(kept.status());
            kept.headers().forEach(answer::header);
            if (!kept.entity().isNull()) {
                answer.entity(kept.entity()).type(MediaType.APPLICATION_JSON_TYPE);
            }
            return answer.build();
        } catch (IOException e) {
            throw new IllegalStateException("a kept answer that is not JSON", e);
        }
    }

    private byte[] toBytes(Response answer) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (answer.getLocation() != null) {
            headers.put("Location", answer.getLocation().toString());
        }
        if (answer.getEntityTag() != null) {
            headers.put("ETag", "\"" + answer.getEntityTag().getValue() + "\"");
        }
        try {
            return json.writeValueAsBytes(new Kept(answer.getStatus(), headers, json.valueToTree(answer.getEntity())));
        } catch (IOException e) {
            throw new IllegalStateException("an answer that cannot be written", e);
        }
    }

    private String context(String principal, String key) {
        return "idempotency_key/" + principal + "/" + request.request() + "/" + key;
    }

    @Scheduled(every = "1h", delayed = "1m")
    void forget() {
        sql.update(
                "delete from idempotency_key where created_at < ?",
                clock.instant().minus(KEPT));
    }
}
