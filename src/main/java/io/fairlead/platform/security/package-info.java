/**
 * Who is asking. Bearer tokens are random, 256 bits long, and stored as SHA-256 hashes; a token of the API has one of the roles
 * {@code admin}, {@code operator}, {@code viewer}, a worker's credential has the role {@code head} and names its head.
 *
 * <p>OIDC takes the place of {@link io.fairlead.platform.security.BearerAuthentication} for people later; resources only see roles.
 * May use what {@code platform} may use.
 */
package io.fairlead.platform.security;
