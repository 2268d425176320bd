/**
 * Storage heads: enrolment by a one-time token, credentials, the generation of each head's desired state, what heads observe, and their
 * listeners (transport addresses).
 *
 * <p>{@link io.fairlead.management.head.HeadService#bump} is how a change reaches a worker: other features write their rows and bump the
 * generation of each head concerned in the same transaction. {@link io.fairlead.management.head.ObservedService} is where they look
 * up what came of it. First of the chain of features: uses {@code platform}, {@code core} and {@code contract} only.
 */
package io.fairlead.management.head;
