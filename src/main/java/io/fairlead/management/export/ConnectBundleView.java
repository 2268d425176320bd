package io.fairlead.management.export;

import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import java.util.List;
import java.util.UUID;

/**
 * All that a Linux host needs to connect, ready to paste. The host's NQN and host identifier always come as the pair that belongs
 * together. Secrets are never part of it: commands read them from the environment.
 *
 * @param files what to put where before connecting
 * @param prepare commands to run once, before connecting
 * @param discoveryConf for {@code /etc/nvme/discovery.conf}
 * @param configJson for {@code /etc/nvme/config.json}; the placeholders have to be replaced
 * @param undo a script that disconnects all of it
 * @param warnings what is not in order
 * @param knownErrors what the kernel says when something does not fit, and what to do
 */
public record ConnectBundleView(
        HostId hostId,
        String hostNqn,
        UUID hostIdentifier,
        List<HostFile> files,
        List<String> prepare,
        List<Connection> connections,
        List<String> discover,
        String discoveryConf,
        String configJson,
        String undo,
        List<String> warnings,
        List<KnownError> knownErrors) {

    /** A file on the host. */
    public record HostFile(String path, String content) {}

    /** One path. */
    public record Connection(String subsystemNqn, Transport transport, String traddr, int trsvcid, String command) {}

    /** A message of the kernel, in words that help. */
    public record KnownError(String message, String meaning, String remedy) {}
}
