package io.fairlead.worker.prover;

import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.tcp.Digests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Who connects, and where to: the options that all commands share. */
final class ConnectOptions {

    private static final String UUID_NQN = "nqn.2014-08.org.nvmexpress:uuid:";

    @Option(names = "--traddr", required = true, description = "IP address of the target.")
    String traddr;

    @Option(names = "--trsvcid", defaultValue = "4420", description = "TCP port; ${DEFAULT-VALUE} if not given.")
    int trsvcid;

    @Option(
            names = "--hostnqn",
            required = true,
            description = "NVMe qualified name of the host that this command shall be.")
    String hostNqn;

    @Option(
            names = "--hostid",
            description = "Its host identifier; if not given, the UUID in its name, or one that is derived from it.")
    UUID hostId;

    @Option(
            names = "--dhchap-secret",
            description = "Its key, DHHC-1:HH:base64:. Others on this machine can see it; prefer the file.")
    String secret;

    @Option(names = "--dhchap-secret-file", description = "A file with its key.")
    Path secretFile;

    @Option(
            names = "--dhchap-ctrl-secret",
            description = "The controller's key: the controller has to prove itself as well.")
    String controllerSecret;

    @Option(names = "--dhchap-ctrl-secret-file", description = "A file with the controller's key.")
    Path controllerSecretFile;

    @Option(names = "--hdr-digest", description = "Protect headers with CRC32C.")
    boolean headerDigest;

    @Option(names = "--data-digest", description = "Protect data with CRC32C.")
    boolean dataDigest;

    @Option(
            names = "--timeout",
            defaultValue = "15",
            description = "Seconds until the connection has to be ready; ${DEFAULT-VALUE} if not given.")
    int timeoutSeconds;

    InetSocketAddress address() throws CommandFailure {
        try {
            return new InetSocketAddress(InetAddress.getByName(traddr), trsvcid);
        } catch (UnknownHostException unknown) {
            throw new CommandFailure("host.address_unusable", "The address " + traddr + " is not known.");
        }
    }

    HostIdentity identity() throws CommandFailure {
        Optional<DhchapKey> hostKey = key("--dhchap-secret", secret, secretFile);
        Optional<DhchapKey> controllerKey = key("--dhchap-ctrl-secret", controllerSecret, controllerSecretFile);
        if (controllerKey.isPresent() && hostKey.isEmpty()) {
            throw new CommandFailure(
                    "host.key_missing", "A controller key is of use only together with the host's own key.");
        }
        return new HostIdentity(
                hostNqn, hostIdentifier(), hostKey.map(key -> HostPolicy.offeringAll(key, controllerKey)));
    }

    private UUID hostIdentifier() {
        if (hostId != null) {
            return hostId;
        }
        if (hostNqn.startsWith(UUID_NQN)) {
            try {
                return UUID.fromString(hostNqn.substring(UUID_NQN.length()));
            } catch (IllegalArgumentException notUuid) {
                // The name only looks like one with a UUID: derive the identifier as from any other.
            }
        }
        return UUID.nameUUIDFromBytes(hostNqn.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<DhchapKey> key(String option, String text, Path file) throws CommandFailure {
        if (text == null && file == null) {
            return Optional.empty();
        }
        String key = text != null ? text : read(option, file);
        return switch (DhchapKey.parse(key.strip())) {
            case DhchapKey.Parsed.Valid(DhchapKey valid) -> Optional.of(valid);
            case DhchapKey.Parsed.Invalid(DhchapKey.Check check) ->
                throw new CommandFailure(
                        "host.key_malformed", "The key of " + option + " is no key: " + check.sentence());
        };
    }

    private static String read(String option, Path file) throws CommandFailure {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new CommandFailure(
                    "host.key_unreadable", "The file of " + option + "-file cannot be read: " + failure.getMessage());
        }
    }

    HostOptions options() {
        Digests digests = Digests.of((headerDigest ? 1 : 0) | (dataDigest ? 2 : 0));
        return HostOptions.DEFAULT
                .withDigests(digests)
                .withTimeouts(Duration.ofSeconds(timeoutSeconds), HostOptions.DEFAULT.commandTimeout());
    }
}
