package io.fairlead.platform;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Ids;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Inject;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Gives each request its id and remembers the hash of its body. Thread: the one that handles the request. */
@Provider
@ConstrainedTo(RuntimeType.SERVER)
public class RequestFilter implements ReaderInterceptor {

    static final String HEADER = "X-Request-Id";
    private static final String PROPERTY = "fairlead.request-id";

    @Inject
    RequestContext request;

    @Inject
    Ids ids;

    @ServerRequestFilter(preMatching = true)
    void begin(ContainerRequestContext context, HttpServerRequest http) {
        String id = ids.next().toString();
        context.setProperty(PROPERTY, id);
        request.begin(
                id,
                http.remoteAddress() == null ? "" : http.remoteAddress().hostAddress(),
                context.getMethod() + " " + context.getUriInfo().getPath(),
                Optional.ofNullable(context.getHeaderString(IdempotentPosts.HEADER)));
        MDC.put("request", id);
    }

    @ServerResponseFilter
    void end(ContainerRequestContext context, ContainerResponseContext response) {
        if (context.getProperty(PROPERTY) instanceof String id) {
            response.getHeaders().putSingle(HEADER, id);
        }
    }

    @Override
    public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        byte[] body = context.getInputStream().readAllBytes();
        if (body.length == 0) {
            throw Failure.of(FailureCode.REQUEST_MALFORMED, "Send a JSON object as the body of this request.");
        }
        request.bodyRead(sha256(body));
        context.setInputStream(new ByteArrayInputStream(body));
        Object read = context.proceed();
        if (read == null) {
            throw Failure.of(
                    FailureCode.REQUEST_MALFORMED, "Send a JSON object as the body of this request, not null.");
        }
        return read;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
