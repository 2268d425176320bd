package io.fairlead.management.host;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.core.HeadId;
import java.time.Instant;
import java.util.UUID;

/**
 * A refused connection or authentication.
 *
 * @param traddr where the host came from
 * @param check which check failed
 * @param detail the same in a sentence
 */
public record AuthenticationFailureView(
        UUID id,
        HeadId headId,
        Instant at,
        String hostNqn,
        String subsystemNqn,
        String traddr,
        AuthenticationFailureReport.Check check,
        String detail) {

    static AuthenticationFailureView of(AuthenticationFailureEntity entity) {
        return new AuthenticationFailureView(
                entity.id,
                new HeadId(entity.headId),
                entity.occurredAt,
                entity.hostNqn,
                entity.subsystemNqn,
                entity.traddr,
                entity.check,
                entity.detail);
    }
}
