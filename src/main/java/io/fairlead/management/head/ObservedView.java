package io.fairlead.management.head;

import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a head last said of an object; part of the views of other features.
 *
 * @param generation the desired state that this is about
 * @param facts what was read back from the engine
 * @param since when the state or its reason became what it is
 */
public record ObservedView(
        HeadId headId,
        ObjectState state,
        Optional<Reason> reason,
        Generation generation,
        Map<String, String> facts,
        Instant since) {}
