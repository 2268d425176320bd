package io.fairlead.worker.prover;

import io.fairlead.contract.ContractJson;
import io.fairlead.nvme.initiator.NamespaceData;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Writes a pattern and verifies it: once over a range, or for a while with reconnects. */
@Command(
        name = "io",
        mixinStandardHelpOptions = true,
        description = {
            "Write a seeded pattern to a namespace, read it back and verify every block.",
            "THIS OVERWRITES THE DATA OF THE NAMESPACE, and so it asks for --overwrite-data."
        })
final class IoCommand implements Callable<Integer>, NvmeCommand.JsonOutput {

    @Mixin
    ConnectOptions connect;

    @Option(names = "--nqn", required = true, description = "NVMe qualified name of the subsystem.")
    String subsystemNqn;

    @Option(names = "--nsid", description = "The namespace; the first one if not given.")
    Long nsid;

    @Option(names = "--overwrite-data", description = "Agree to lose what is on the namespace.")
    boolean overwriteData;

    @Option(names = "--verify", description = "Write the range once, then read it all back. This is the default.")
    boolean verify;

    @Option(
            names = "--run-seconds",
            description = "Instead: write, read and verify at random for so long, reconnecting when the connection is"
                    + " lost, then read everything back. Prints a line per second.")
    Integer runSeconds;

    @Option(
            names = "--bytes",
            defaultValue = "64MiB",
            converter = ByteCount.class,
            description = "How much of the namespace, from its start; ${DEFAULT-VALUE} if not given.")
    Long bytes;

    @Option(
            names = "--block",
            defaultValue = "128KiB",
            converter = ByteCount.class,
            description = "Bytes of one command; ${DEFAULT-VALUE} if not given.")
    Long block;

    @Option(
            names = "--queue-depth",
            defaultValue = "8",
            description = "Commands in flight; ${DEFAULT-VALUE} if not given.")
    int queueDepth;

    @Option(names = "--seed", defaultValue = "1", description = "Of the pattern; ${DEFAULT-VALUE} if not given.")
    long seed;

    @Option(names = "--json", description = "Print JSON objects, one per line.")
    boolean json;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public boolean isJson() {
        return json;
    }

    @Override
    public Integer call() throws Exception {
        if (!overwriteData) {
            throw new ParameterException(
                    spec.commandLine(),
                    "This overwrites the data of the namespace. Say --overwrite-data if that is what you want.");
        }
        if (runSeconds != null && verify) {
            throw new ParameterException(spec.commandLine(), "--verify and --run-seconds exclude each other.");
        }
        if (queueDepth < 1 || queueDepth > 256) {
            throw new ParameterException(spec.commandLine(), "The queue depth is between 1 and 256.");
        }
        HostOptions options = connect.options().withQueues(1, queueDepth + 1);
        VerifiedIo io = new VerifiedIo(
                () -> HostConnection.connect(connect.identity(), connect.address(), subsystemNqn, options),
                Optional.ofNullable(nsid),
                new VerifiedIo.Load(bytes, Math.toIntExact(block), queueDepth, seed));
        VerifiedIo.Outcome outcome =
                runSeconds == null ? io.verifyOnce() : io.runFor(Duration.ofSeconds(runSeconds), this::printTick);
        print(asMap(outcome, true, block));
        if (!outcome.holds()) {
            throw new CommandFailure(
                    "data.mismatch",
                    outcome.mismatches() > 0
                            ? outcome.mismatches() + " blocks did not hold what was written and acknowledged."
                            : "The namespace is not the same as at the beginning.");
        }
        return 0;
    }

    private void printTick(VerifiedIo.Outcome outcome) {
        try {
            print(asMap(outcome, false, block));
        } catch (java.io.IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
    }

    private void print(Map<String, Object> line) throws java.io.IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(ContractJson.mapper().writeValueAsString(line));
        } else {
            StringBuilder text = new StringBuilder();
            line.forEach((name, value) -> text.append(text.isEmpty() ? "" : "  ")
                    .append(name)
                    .append(' ')
                    .append(value));
            out.println(text);
        }
        out.flush();
    }

    private static Map<String, Object> asMap(VerifiedIo.Outcome outcome, boolean last, long blockBytes) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (last) {
            map.put("ok", outcome.holds());
        }
        map.put("final", last);
        map.put("second", outcome.seconds());
        map.put("state", outcome.connected() ? "connected" : "reconnecting");
        map.put("ops", outcome.reads() + outcome.writes());
        map.put("reads", outcome.reads());
        map.put("writes", outcome.writes());
        // Every read is compared with what was written; a mismatch is counted apart.
        map.put("bytesVerified", (outcome.reads() - outcome.mismatches()) * blockBytes);
        map.put("errors", outcome.errors());
        map.put("reconnects", outcome.reconnects());
        map.put("mismatches", outcome.mismatches());
        map.put("identityChanges", outcome.identityChanges());
        map.put("longestPauseMillis", outcome.longestPauseMillis());
        if (outcome.writeMibPerSecond() > 0) {
            map.put("writeMibPerSecond", Math.round(outcome.writeMibPerSecond()));
            map.put("readMibPerSecond", Math.round(outcome.readMibPerSecond()));
        }
        outcome.identity().ifPresent(identity -> {
            NamespaceData namespace = identity.namespace();
            map.put("nsid", namespace.nsid());
            namespace.uuid().ifPresent(uuid -> map.put("uuid", uuid.toString()));
            map.put("nguid", namespace.nguid());
            map.put("serial", identity.serial());
            map.put("controllerId", identity.controllerId());
        });
        return map;
    }
}
