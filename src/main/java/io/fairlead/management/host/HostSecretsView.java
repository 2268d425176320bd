package io.fairlead.management.host;

import io.fairlead.core.HostId;
import java.util.UUID;

/**
 * The secrets of a host, in the one answer that shows them.
 *
 * @param controllerSecret only with two-way authentication
 */
public record HostSecretsView(
        HostId hostId, String hostNqn, UUID hostIdentifier, String secret, String controllerSecret) {

    @Override
    public String toString() {
        return "HostSecretsView[hostId=" + hostId + ", hostNqn=" + hostNqn + ", secrets hidden]";
    }
}
