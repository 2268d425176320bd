package io.fairlead.management.host;

import io.fairlead.core.HostId;
import io.fairlead.core.JobId;
import java.util.List;
import java.util.Optional;

/** What uses hosts and has to follow when one changes. Called in the transaction of the change. */
public interface HostUse {

    /** The names of the exports that let the host in. */
    List<String> exportsOf(HostId host);

    /** The host's keys or policy changed: tells the heads that serve it. Empty when none does. */
    Optional<JobId> onChanged(HostId host, String summary);
}
