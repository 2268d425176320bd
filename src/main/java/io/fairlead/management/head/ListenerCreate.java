package io.fairlead.management.head;

import io.fairlead.contract.Transport;
import io.fairlead.core.HeadId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.util.Optional;

/**
 * Asks for a listener.
 *
 * @param traddr an IP address of the head; names are not looked up
 * @param trsvcid the port; 4420 unless told; 0: the head chooses a free one
 */
public record ListenerCreate(
        @NotNull HeadId headId,
        @NotNull Transport transport,
        @NotNull String traddr,
        Optional<@Min(0) @Max(65_535) Integer> trsvcid) {

    static final int TRSVCID_DEFAULT = 4420;

    int port() {
        return trsvcid.orElse(TRSVCID_DEFAULT);
    }
}
