package io.fairlead.contract;

import io.fairlead.core.PathId;
import java.time.Instant;
import java.util.Optional;

/**
 * What the prover found on one path.
 *
 * @param state PROVEN only after a connection as that host: discovery, connect, authentication, Identify with the intended identity, reads
 * @param reason present unless PROVEN
 * @param proof present exactly when PROVEN
 */
public record PathReport(PathId id, State state, Optional<Reason> reason, Optional<Proof> proof) {

    /** How far the prover came. */
    public enum State {
        PROVEN,
        /** Not tried yet, or what it needs is not READY yet. */
        PENDING,
        /** Cannot be tried from this head, with the reason. */
        UNPROVEN,
        /** Tried, and it does not hold. */
        FAILED
    }

    /**
     * Evidence.
     *
     * @param authentication empty when the host needs none
     * @param refusalWithoutKey whether a connection without the key was refused, as it must; empty when no key is needed
     * @param namespaces how many namespaces were identified and read
     * @param reads how many reads the latencies are of
     */
    public record Proof(
            Instant provenAt,
            String traddr,
            int trsvcid,
            Optional<Authenticated> authentication,
            Optional<Boolean> refusalWithoutKey,
            int namespaces,
            int cntlid,
            int reads,
            long p50Nanos,
            long p99Nanos) {}

    /** How the two sides proved themselves. */
    public record Authenticated(AuthHash hash, AuthDhGroup dhGroup, boolean bidirectional) {}
}
