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
 * A head as the API shows it.
 *
 * @param generation of the desired state
 * @param observedGeneration that the head has worked on
 * @param lastSeenAt when it reported last
 * @param foreign what its engine serves and Fairlead did not make: shown and left alone
 */
public record HeadView(
        HeadId id,
        String name,
        HeadState state,
        Generation generation,
        Optional<Generation> observedGeneration,
        Optional<Instant> lastSeenAt,
        Optional<Engine> engine,
        List<ForeignObject> foreign,
        CntlidWindow controllerIds,
        Instant createdAt) {

    /**
     * The engine that serves on the head.
     *
     * @param limits what it cannot do there, by the capability or object that it concerns, with the consequence
     */
    public record Engine(String name, String version, List<String> capabilities, List<Reason> limits) {}

    static HeadView of(Head head, HeadState state) {
        return new HeadView(
                head.id(),
                head.name(),
                state,
                head.generation(),
                head.status().map(Head.Status::generation),
                head.status().map(Head.Status::seenAt),
                head.status()
                        .map(known -> new Engine(
                                known.engineName(), known.engineVersion(), known.capabilities(), known.limits())),
                head.status().map(Head.Status::foreign).orElse(List.of()),
                head.cntlids(),
                head.createdAt());
    }
}
