package io.fairlead.worker.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The conditions found during one pass, at most one per object: the worst, and of equals the first. */
final class Conditions {

    private final Map<ObjectRef, Condition> found = new HashMap<>();

    void add(ObjectRef object, Condition condition) {
        found.merge(
                object, condition, (before, next) -> next.severity().compareTo(before.severity()) > 0 ? next : before);
    }

    Optional<Condition> of(ObjectRef object) {
        return Optional.ofNullable(found.get(object));
    }
}
