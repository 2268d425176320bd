package io.fairlead.management.subsystem;

import io.fairlead.core.JobId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import java.util.Optional;

/** What serves subsystems and has to follow when one changes. Called in the transaction of the change. */
public interface SubsystemUse {

    /** The name of the export that serves the subsystem. */
    Optional<String> exportOf(SubsystemId subsystem);

    /** A namespace came: tells the heads that serve the subsystem. Empty when none does. */
    Optional<JobId> onNamespaceAdded(SubsystemId subsystem, NamespaceId namespace, String summary);

    /** A namespace is about to go: tells the heads that serve the subsystem. Empty when none does. */
    Optional<JobId> onNamespaceRemoved(SubsystemId subsystem, NamespaceId namespace, String summary);

    /** The subsystem was opened or closed: tells the heads that serve it. Empty when none does. */
    Optional<JobId> onAccessChanged(SubsystemId subsystem, String summary);
}
