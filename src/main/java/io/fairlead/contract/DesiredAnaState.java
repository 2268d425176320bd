package io.fairlead.contract;

import io.fairlead.core.ListenerId;
import io.fairlead.nvme.spec.AnaState;

/**
 * The ANA state of one group as seen through one listener. A group that is not named is optimized.
 *
 * @param anaGroup 1 to 0xFFFFFFFE
 */
public record DesiredAnaState(ListenerId listenerId, long anaGroup, AnaState state) {}
