package io.fairlead.platform.security;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.BaseAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;

/**
 * Reads {@code Authorization: Bearer …} and finds out whose it is. The seam for OIDC: another mechanism for people gives the same
 * roles, and no resource notices.
 */
@ApplicationScoped
public class BearerAuthentication implements HttpAuthenticationMechanism {

    private static final String SCHEME = "bearer ";

    /** Carries a token to {@link Provider}. */
    static final class BearerRequest extends BaseAuthenticationRequest {
        private final String token;

        BearerRequest(String token) {
            this.token = token;
        }
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager identities) {
        String header = context.request().getHeader("Authorization");
        if (header == null) {
            return Uni.createFrom().nullItem();
        }
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Uni.createFrom().failure(new AuthenticationFailedException("not a bearer token"));
        }
        return identities.authenticate(
                new BearerRequest(header.substring(SCHEME.length()).strip()));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer realm=\"fairlead\""));
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of(BearerRequest.class);
    }

    /** Looks the token's hash up. Runs on a blocking thread, since the database answers. */
    @ApplicationScoped
    public static class Provider implements IdentityProvider<BearerRequest> {

        private final ApiTokens tokens;
        private final HeadCredentials heads;

        public Provider(ApiTokens tokens, HeadCredentials heads) {
            this.tokens = tokens;
            this.heads = heads;
        }

        @Override
        public Class<BearerRequest> getRequestType() {
            return BearerRequest.class;
        }

        @Override
        public Uni<SecurityIdentity> authenticate(BearerRequest request, AuthenticationRequestContext context) {
            return context.runBlocking(() -> identityOf(request.token));
        }

        private SecurityIdentity identityOf(String token) {
            byte[] hash = Tokens.hash(token);
            if (token.startsWith(Tokens.HEAD_PREFIX)) {
                return heads.headOf(hash)
                        .map(head -> identity(head.toString(), Role.HEAD))
                        .orElseThrow(() -> new AuthenticationFailedException("no head has this credential"));
            }
            return tokens.holderOf(hash)
                    .map(holder -> identity(holder.name(), holder.role()))
                    .orElseThrow(() -> new AuthenticationFailedException("nobody has this token"));
        }

        private static SecurityIdentity identity(String name, String role) {
            return QuarkusSecurityIdentity.builder()
                    .setPrincipal(new QuarkusPrincipal(name))
                    .addRole(role)
                    .build();
        }
    }
}
