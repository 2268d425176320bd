package io.fairlead.management.export;

import io.fairlead.contract.ObjectKind;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.PathId;
import io.fairlead.management.job.Concern;
import io.fairlead.management.job.PathConcern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Collects what a job about one head waits for, in the order in which people read it. One per change. */
final class Concerns {

    private final HeadId head;
    private final Generation generation;
    private final List<Concern> objects = new ArrayList<>();
    private final List<PathConcern> paths = new ArrayList<>();

    Concerns(HeadId head, Generation generation) {
        this.head = head;
        this.generation = generation;
    }

    Concerns ready(ObjectKind kind, UUID id) {
        objects.add(new Concern(head, generation, kind, id, Concern.Wanted.READY));
        return this;
    }

    Concerns ready(ObjectKind kind, Stream<UUID> all) {
        all.forEach(id -> ready(kind, id));
        return this;
    }

    Concerns absent(ObjectKind kind, UUID id) {
        objects.add(new Concern(head, generation, kind, id, Concern.Wanted.ABSENT));
        return this;
    }

    Concerns proven(Collection<PathId> all) {
        all.forEach(path -> paths.add(new PathConcern(head, generation, path)));
        return this;
    }

    List<Concern> objects() {
        return List.copyOf(objects);
    }

    List<PathConcern> paths() {
        return List.copyOf(paths);
    }
}
