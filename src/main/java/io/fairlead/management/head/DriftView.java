package io.fairlead.management.head;

import io.fairlead.contract.DriftReport;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Something that was as desired, and that something else than Fairlead changed on the head.
 *
 * @param seenAt when the head found it
 * @param name what people know the object by
 * @param differences what was wanted and what was found
 * @param repair what the head did about it
 * @param repaired whether it was read back as desired afterwards
 * @param reason why not, if so
 */
public record DriftView(
        UUID id,
        Instant seenAt,
        ObjectKind kind,
        UUID objectId,
        String name,
        List<DriftReport.Difference> differences,
        String repair,
        boolean repaired,
        Optional<Reason> reason) {}
