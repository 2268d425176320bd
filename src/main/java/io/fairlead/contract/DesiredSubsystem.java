package io.fairlead.contract;

import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.SubsystemId;
import java.util.List;

/**
 * A subsystem that this head serves.
 *
 * @param nqn unique; compared whole
 * @param serial 1 to 20 printable ASCII characters
 * @param model 1 to 40 printable ASCII characters
 * @param access whom it lets in; {@link Access#ANY_HOST} goes with an empty {@code allowedHosts}
 * @param listeners where it is served; a listener may serve several subsystems
 */
public record DesiredSubsystem(
        SubsystemId id,
        String nqn,
        String serial,
        String model,
        Access access,
        List<DesiredNamespace> namespaces,
        List<HostId> allowedHosts,
        List<ListenerId> listeners) {

    /** Whom a subsystem lets in. */
    public enum Access {
        LISTED_HOSTS,
        ANY_HOST
    }

    public DesiredSubsystem {
        namespaces = List.copyOf(namespaces);
        allowedHosts = List.copyOf(allowedHosts);
        listeners = List.copyOf(listeners);
        if (access == Access.ANY_HOST && !allowedHosts.isEmpty()) {
            throw new IllegalArgumentException("a subsystem open to any host has no list of hosts");
        }
    }
}
