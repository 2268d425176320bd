package io.fairlead.management.job;

import io.fairlead.contract.ObjectKind;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import java.util.UUID;

/**
 * Something that has to become true of an object on a head before a job is done.
 *
 * @param generation the first desired state with the change
 */
public record Concern(HeadId headId, Generation generation, ObjectKind kind, UUID objectId, Wanted wanted) {
    /** What has to be observed. */
    public enum Wanted {
        READY,
        ABSENT
    }
}
