package io.fairlead.management.head;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A storage head.
 *
 * @param generation of its desired state
 * @param version of the row, for the entity tag; the generation does not change it
 * @param status what it reported last; empty before the first report
 */
public record Head(
        HeadId id,
        String name,
        Generation generation,
        CntlidWindow cntlids,
        long version,
        Instant createdAt,
        Optional<Status> status) {

    /**
     * The last report.
     *
     * @param generation the desired state that the last finished reconcile worked on
     * @param capabilities what its engine can do, such as {@code transport.tcp}
     * @param limits what its engine cannot do there, with the consequence
     * @param foreign what its engine serves and Fairlead did not make
     */
    public record Status(
            Instant seenAt,
            Generation generation,
            String engineName,
            String engineVersion,
            List<String> capabilities,
            List<Reason> limits,
            List<ForeignObject> foreign) {}

    public boolean can(String capability) {
        return status.map(known -> known.capabilities().contains(capability)).orElse(false);
    }
}
