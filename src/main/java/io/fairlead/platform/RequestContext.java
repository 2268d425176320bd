package io.fairlead.platform;

import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;

/** What is known of the request that is being answered. Filled by {@link RequestFilter}; empty texts outside a request. */
@RequestScoped
public class RequestContext {

    private String requestId = "";
    private String remote = "";
    private String request = "";
    private Optional<String> idempotencyKey = Optional.empty();
    private byte[] bodyHash = new byte[0];

    /** Unique per request; the {@code instance} of a problem document, and in each line of the log. */
    public String requestId() {
        return requestId;
    }

    /** The address that the request came from. */
    public String remote() {
        return remote;
    }

    /** SHA-256 of the body as it came. */
    byte[] bodyHash() {
        return bodyHash.clone();
    }

    /** Method and path, for example {@code POST /api/v1/exports}. */
    String request() {
        return request;
    }

    Optional<String> idempotencyKey() {
        return idempotencyKey;
    }

    void begin(String id, String from, String methodAndPath, Optional<String> key) {
        requestId = id;
        remote = from;
        request = methodAndPath;
        idempotencyKey = key;
    }

    void bodyRead(byte[] hash) {
        bodyHash = hash.clone();
    }
}
