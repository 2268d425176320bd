package io.fairlead.management.head;

import java.time.Instant;
import java.util.UUID;

/**
 * An enrolment token, at the one moment when it can be read.
 *
 * @param token for the worker's {@code --enrolment-token-file}
 */
public record EnrolmentTokenView(UUID id, String token, Instant expiresAt) {
    @Override
    public String toString() {
        return "EnrolmentTokenView[id=" + id + ", token=hidden, expiresAt=" + expiresAt + "]";
    }
}
