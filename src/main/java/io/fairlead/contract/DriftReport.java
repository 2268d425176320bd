package io.fairlead.contract;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An object that was as desired, and that something else than Fairlead changed.
 *
 * @param id of this finding; the same each time it is told
 * @param name what people know the object by: an NQN, a transport address
 * @param differences what was wanted and what was found, field by field; never a secret
 * @param repair what was done about it
 * @param repaired whether the object was read back as desired afterwards
 * @param reason why not, if so
 */
public record DriftReport(
        UUID id,
        Instant seenAt,
        ObjectKind kind,
        UUID objectId,
        String name,
        List<Difference> differences,
        String repair,
        boolean repaired,
        Optional<Reason> reason) {

    public DriftReport {
        differences = List.copyOf(differences);
    }

    /** One field; values are for people. */
    public record Difference(String field, String wanted, String found) {}
}
