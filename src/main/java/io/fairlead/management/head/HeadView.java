package io.fairlead.management.head;

import io.fairlead.contract.CntlidWindow;
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
 */
public record HeadView(
        HeadId id,
        String name,
        HeadState state,
        Generation generation,
        Optional<Generation> observedGeneration,
        Optional<Instant> lastSeenAt,
        Optional<Engine> engine,
        CntlidWindow controllerIds,
        Instant createdAt) {

    /** The engine that serves on the head. */
    public record Engine(String name, String version, List<String> capabilities) {}

    static HeadView of(Head head, HeadState state) {
        return new HeadView(
                head.id(),
                head.name(),
                state,
                head.generation(),
                head.status().map(Head.Status::generation),
                head.status().map(Head.Status::seenAt),
                head.status().map(known -> new Engine(known.engineName(), known.engineVersion(), known.capabilities())),
                head.cntlids(),
                head.createdAt());
    }
}
