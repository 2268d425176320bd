package io.fairlead.platform;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.inject.Inject;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * The only exception mapper: whatever goes wrong becomes a {@link Failure} ({@link FailureReader}) and then a problem document. What
 * is our fault goes to the log with its cause; what is the asker's fault does not.
 */
public class ProblemMapper {

    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);

    @Inject
    RequestContext request;

    @ServerExceptionMapper({
        Exception.class,
        Failure.class,
        WebApplicationException.class,
        ValidationException.class,
        com.fasterxml.jackson.databind.exc.MismatchedInputException.class,
        com.fasterxml.jackson.databind.exc.InvalidDefinitionException.class,
        jakarta.ws.rs.NotFoundException.class
    })
    Response any(Exception exception) {
        return answer(FailureReader.read(exception));
    }

    @ServerExceptionMapper
    Response unauthenticated(UnauthorizedException exception) {
        return answer(FailureReader.read(exception));
    }

    @ServerExceptionMapper
    Response wrongCredential(AuthenticationFailedException exception) {
        return answer(FailureReader.read(exception));
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException exception) {
        return answer(FailureReader.read(exception));
    }

    /** What a failure to read a body means; for the resources that read it themselves. */
    public static Failure failureOf(com.fasterxml.jackson.core.JsonProcessingException unreadable) {
        return FailureReader.read(unreadable);
    }

    private Response answer(Failure failure) {
        log(failure);
        Problem problem = Problem.of(failure, request.requestId());
        Response.ResponseBuilder answer = Response.status(problem.status())
                .type(Problem.MEDIA_TYPE)
                .header(RequestFilter.HEADER, request.requestId())
                .entity(problem);
        if (failure.code() == FailureCode.REQUEST_UNAUTHENTICATED) {
            answer.header("WWW-Authenticate", "Bearer realm=\"fairlead\"");
        }
        if (failure.code().kind() == FailureCode.Kind.UNAVAILABLE) {
            answer.header("Retry-After", "1");
        }
        return answer.build();
    }

    private static void log(Failure failure) {
        switch (failure.code().kind()) {
            case INTERNAL -> LOG.errorf(failure.getCause(), "%s %s", failure.getMessage(), failure.internal());
            case UNAVAILABLE -> LOG.warnf("%s: %s %s", failure.code().code(), failure.getMessage(), failure.internal());
            case BAD_REQUEST,
                    UNAUTHENTICATED,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    CONFLICT,
                    PRECONDITION_FAILED,
                    TOO_LARGE,
                    MEDIA_TYPE,
                    UNPROCESSABLE,
                    PRECONDITION_REQUIRED ->
                LOG.debugf("%s: %s %s", failure.code().code(), failure.getMessage(), failure.internal());
        }
    }
}
