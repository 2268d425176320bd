package io.fairlead.management.export;

import io.fairlead.core.JobId;
import io.fairlead.management.host.HostSecretsView;
import java.util.List;

/**
 * The answer to a change of an export.
 *
 * @param export as it shall be
 * @param jobId succeeds when all of it is observed and each path is proven, or said to be one that its head cannot try
 * @param secrets of the hosts that this request made, shown this once
 */
public record ExportAccepted(ExportView export, JobId jobId, List<HostSecretsView> secrets) {
    public ExportAccepted {
        secrets = List.copyOf(secrets);
    }
}
