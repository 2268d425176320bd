package io.fairlead.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fairlead.contract.ContractJson;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The main job, as a person would do it: two volumes for two hosts, one authenticated one way and one both ways; data written and read back
 * as each host; then a wrong key and a host without rights, both refused and explained.
 */
final class Demo {

    private static final long VOLUME_BYTES = 64L << 20;
    private static final long VERIFY_BYTES = VOLUME_BYTES;
    private static final Duration JOB_TIME_MAX = Duration.ofSeconds(90);

    private final Home home;
    private final Appliance appliance;
    private final ManagementClient client;
    private final Narrator narrator;

    Demo(Home home, Appliance appliance, Narrator narrator) {
        this.home = home;
        this.appliance = appliance;
        this.client = appliance.client();
        this.narrator = narrator;
    }

    /** What {@code --json} prints. */
    record Outcome(
            boolean proven,
            List<ProvenPath> paths,
            long bytesVerified,
            List<Refusal> refusals,
            String consoleUrl,
            String apiUrl) {

        void describe(PrintStream out) {
            out.println();
            for (ProvenPath path : paths) {
                out.println("proven   " + path.subsystem());
                out.println("  for    " + path.host());
                out.println(String.format(
                        Locale.ROOT,
                        "  at     %s %s:%s, %s with %s and %s, read latency p50 %.0f µs, p99 %.0f µs",
                        path.transport(),
                        path.traddr(),
                        path.trsvcid(),
                        path.authentication().bidirectional() ? "authenticated both ways" : "authenticated one way",
                        path.authentication().hash(),
                        path.authentication().dhGroup(),
                        path.p50Micros(),
                        path.p99Micros()));
            }
            out.println("data     " + (bytesVerified >> 20) + " MiB written and read back without a difference");
            for (Refusal refusal : refusals) {
                out.println("refused  " + refusal.host() + ": " + refusal.check());
            }
            out.println(proven ? "All of it held." : "Not all of it held.");
        }
    }

    record ProvenPath(
            String subsystem,
            String host,
            String transport,
            String traddr,
            String trsvcid,
            Authentication authentication,
            double p50Micros,
            double p99Micros) {}

    record Authentication(String hash, String dhGroup, boolean bidirectional) {}

    record Refusal(String host, String check) {}

    /** One host and what it was given. */
    record Export(
            String jobId,
            String hostId,
            String hostNqn,
            String hostIdentifier,
            String subsystemNqn,
            Path secret,
            Path controllerSecret) {}

    Outcome run() {
        int port = freePort();
        Export alpha = export("alpha", "sha256", "ffdhe2048", Direction.ONE_WAY, port);
        Export beta = export("beta", "sha512", "ffdhe3072", Direction.BOTH_WAYS, port);
        List<ProvenPath> paths = new ArrayList<>();
        boolean held = collectPaths(alpha, paths) & collectPaths(beta, paths);

        long bytes = 0;
        for (Export export : List.of(alpha, beta)) {
            narrator.say(
                    "Writing " + (VERIFY_BYTES >> 20) + " MiB as " + export.hostNqn() + " and reading it back ...");
            JsonNode io =
                    nvme(export, port, "io", "--verify", "--overwrite-data", "--bytes", Long.toString(VERIFY_BYTES));
            bytes += io.path("bytesVerified").asLong();
            held &= io.path("bytesVerified").asLong() == VERIFY_BYTES;
        }

        List<Refusal> refusals = refusals(alpha, beta, port);
        held &= checks(refusals).containsAll(Set.of("KEY_MISMATCH", "HOST_NOT_ALLOWED"));
        return new Outcome(
                held && paths.size() == 2,
                List.copyOf(paths),
                bytes,
                refusals,
                appliance.url() + "/",
                appliance.url() + "/api/v1");
    }

    enum Direction {
        ONE_WAY,
        BOTH_WAYS
    }

    Export export(String name, String hash, String dhGroup, Direction direction, int port) {
        String hostNqn = "nqn.2026-12.io.fairlead.demo:host-" + name;
        narrator.say("Exporting a volume of " + (VOLUME_BYTES >> 20) + " MiB to " + hostNqn + " ...");
        ObjectNode body = ContractJson.mapper().createObjectNode();
        body.put("name", "demo-" + name);
        body.putObject("volume").put("name", "demo-" + name).put("sizeBytes", VOLUME_BYTES);
        ObjectNode host = body.putArray("hosts").addObject();
        host.put("nqn", hostNqn);
        host.putObject("authentication")
                .put("hash", hash)
                .put("dhGroup", dhGroup)
                .put("bidirectional", direction == Direction.BOTH_WAYS);
        ArrayNode listeners = body.putArray("listeners");
        listeners.addObject().put("transport", "tcp").put("traddr", "127.0.0.1").put("trsvcid", port);

        JsonNode accepted = client.post("/api/v1/exports", body);
        String jobId = accepted.path("jobId").asText();
        Set<String> told = new HashSet<>();
        JsonNode job = client.follow(jobId, JOB_TIME_MAX, state -> tellSteps(state, told));
        if (!job.path("state").asText().equals("SUCCEEDED")) {
            throw new CommandFailure("The export of " + name + " failed: " + job.path("failure"));
        }
        JsonNode export = accepted.path("export");
        JsonNode secrets = accepted.path("secrets").path(0);
        return new Export(
                jobId,
                secrets.path("hostId").asText(),
                hostNqn,
                secrets.path("hostIdentifier").asText(),
                export.path("subsystemNqn").asText(),
                keep(name + ".secret", secrets.path("secret").asText()),
                direction == Direction.BOTH_WAYS
                        ? keep(
                                name + ".controller-secret",
                                secrets.path("controllerSecret").asText())
                        : null);
    }

    private void tellSteps(JsonNode job, Set<String> told) {
        for (JsonNode step : job.path("steps")) {
            String line = step.path("name").asText() + ": "
                    + step.path("state").asText().toLowerCase(Locale.ROOT);
            if (!step.path("state").asText().equals("PENDING") && told.add(line)) {
                narrator.say("  " + line);
            }
        }
    }

    private boolean collectPaths(Export export, List<ProvenPath> into) {
        JsonNode paths =
                client.get("/api/v1/jobs/" + export.jobId()).path("result").path("paths");
        boolean all = !paths.isEmpty();
        for (JsonNode path : paths) {
            JsonNode proof = path.path("proof");
            JsonNode authentication = proof.path("authentication");
            all &= path.path("state").asText().equals("PROVEN");
            into.add(new ProvenPath(
                    export.subsystemNqn(),
                    export.hostNqn(),
                    path.path("transport").asText(),
                    proof.path("traddr").asText(),
                    proof.path("trsvcid").asText(),
                    new Authentication(
                            authentication.path("hash").asText(),
                            authentication.path("dhGroup").asText(),
                            authentication.path("bidirectional").asBoolean()),
                    proof.path("p50Nanos").asLong() / 1000.0,
                    proof.path("p99Nanos").asLong() / 1000.0));
        }
        return all;
    }

    /** A wrong key, and a host that is allowed elsewhere but not here; what the appliance says of both. */
    private List<Refusal> refusals(Export alpha, Export beta, int port) {
        narrator.say("Trying alpha's host with beta's key, and beta's host on alpha's subsystem ...");
        expectRefusal(alpha, beta.secret(), alpha.subsystemNqn(), port);
        expectRefusal(beta, beta.secret(), alpha.subsystemNqn(), port);
        List<Refusal> found = new ArrayList<>();
        await("the refusals to be reported", () -> {
            found.clear();
            collectRefusals(alpha, "KEY_MISMATCH", found);
            collectRefusals(beta, "HOST_NOT_ALLOWED", found);
            return found.size() >= 2;
        });
        found.forEach(refusal -> narrator.say("  " + refusal.host() + ": " + refusal.check()));
        return List.copyOf(found);
    }

    private void collectRefusals(Export export, String check, List<Refusal> into) {
        for (JsonNode failure : client.get("/api/v1/hosts/" + export.hostId() + "/authentication-failures?limit=100")
                .path("items")) {
            if (failure.path("check").asText().equals(check)) {
                into.add(new Refusal(failure.path("hostNqn").asText(), check));
                return;
            }
        }
    }

    private void expectRefusal(Export host, Path secret, String subsystemNqn, int port) {
        ProcessBuilder builder = new ProcessBuilder(home.nvme(
                "connect-check",
                "--traddr",
                "127.0.0.1",
                "--trsvcid",
                Integer.toString(port),
                "--nqn",
                subsystemNqn,
                "--hostnqn",
                host.hostNqn(),
                "--hostid",
                host.hostIdentifier(),
                "--dhchap-secret-file",
                secret.toString(),
                "--json"));
        if (run(builder).exitCode() == 0) {
            throw new CommandFailure(host.hostNqn() + " was let in to " + subsystemNqn + " and should not have been.");
        }
    }

    private JsonNode nvme(Export export, int port, String command, String... more) {
        Ran ran = run(new ProcessBuilder(home.nvme(arguments(export, port, command, more))));
        if (ran.exitCode() != 0) {
            throw new CommandFailure("The initiator failed as " + export.hostNqn() + ": " + ran.output());
        }
        try {
            return ContractJson.mapper().readTree(ran.output());
        } catch (IOException e) {
            throw new CommandFailure("The initiator's output is not JSON: " + ran.output(), e);
        }
    }

    /** The initiator's command line for connecting as this host. */
    static String[] arguments(Export export, int port, String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--traddr",
                "127.0.0.1",
                "--trsvcid",
                Integer.toString(port),
                "--nqn",
                export.subsystemNqn(),
                "--hostnqn",
                export.hostNqn(),
                "--hostid",
                export.hostIdentifier(),
                "--dhchap-secret-file",
                export.secret().toString()));
        if (export.controllerSecret() != null) {
            arguments.addAll(List.of(
                    "--dhchap-ctrl-secret-file", export.controllerSecret().toString()));
        }
        arguments.addAll(List.of(more));
        arguments.add("--json");
        return arguments.toArray(String[]::new);
    }

    private record Ran(int exitCode, String output) {}

    private static Ran run(ProcessBuilder builder) {
        try {
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ran(process.waitFor(), output.strip());
        } catch (IOException e) {
            throw new CommandFailure("The initiator could not be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            throw ManagementClient.interrupted(e);
        }
    }

    /** Secrets go to the initiator in files that only the owner can read, never on a command line that everybody can list. */
    private Path keep(String name, String secret) {
        if (secret.isEmpty()) {
            throw new CommandFailure("The appliance gave no secret for " + name + ".");
        }
        try {
            Path file = appliance.state().resolve(name);
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, secret);
        } catch (IOException e) {
            throw new CommandFailure("The secret could not be kept: " + e.getMessage(), e);
        }
    }

    private void await(String what, java.util.function.BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > giveUp) {
                throw new CommandFailure("Waited 30 s for " + what + ".");
            }
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(50).toNanos());
        }
    }

    private static Set<String> checks(List<Refusal> refusals) {
        Set<String> checks = new HashSet<>();
        refusals.forEach(refusal -> checks.add(refusal.check()));
        return checks;
    }

    /** A port that nobody uses right now; the standard port may be taken on a machine that somebody works on. */
    static int freePort() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new CommandFailure("There is no free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }
}
