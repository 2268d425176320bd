package io.fairlead.worker.ledger;

import io.fairlead.core.HeadId;
import java.util.Objects;

/** Who this head is to the management plane. */
public record Enrolment(HeadId headId, HeadCredential credential) {
    public Enrolment {
        Objects.requireNonNull(headId);
        Objects.requireNonNull(credential);
    }
}
