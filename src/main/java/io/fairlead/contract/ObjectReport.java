package io.fairlead.contract;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What is observed of one object.
 *
 * @param reason present exactly when the state is PENDING, DEGRADED or REMOVING
 * @param observed facts that were read back, for people and for drift: {@code trsvcid}, {@code sizeBytes}, {@code uuid}, …; empty when the
 *     object is not there. Never a secret.
 */
public record ObjectReport(
        ObjectKind kind, UUID id, ObjectState state, Optional<Reason> reason, Map<String, String> observed) {
    public ObjectReport {
        observed = Map.copyOf(observed);
    }
}
