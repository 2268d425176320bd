package io.fairlead.worker.prover;

import io.fairlead.contract.ContractJson;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.initiator.ControllerData;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.NamespaceData;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Connects, authenticates, identifies and reads; writes nothing. */
@Command(
        name = "connect-check",
        mixinStandardHelpOptions = true,
        description = {
            "Connect as a host, authenticate, identify the namespaces and read from each; write nothing.",
            "Exit code 0 if all of it held; else one sentence says what was refused and by which check."
        })
final class ConnectCheckCommand implements Callable<Integer>, NvmeCommand.JsonOutput {

    @Mixin
    ConnectOptions connect;

    @Option(names = "--nqn", required = true, description = "NVMe qualified name of the subsystem.")
    String subsystemNqn;

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public boolean isJson() {
        return json;
    }

    @Override
    public Integer call() throws Exception {
        try (HostConnection connection = HostConnection.connect(
                connect.identity(),
                connect.address(),
                subsystemNqn,
                connect.options().withQueues(1, 32))) {
            List<NamespaceData> namespaces = connection.identifyNamespaces();
            Latencies latencies = new Latencies();
            for (NamespaceData namespace : namespaces) {
                NamespaceProof.read(connection, namespace, System::nanoTime, latencies);
            }
            print(connection, namespaces, latencies);
        }
        return 0;
    }

    private void print(HostConnection connection, List<NamespaceData> namespaces, Latencies latencies)
            throws InitiatorFault, java.io.IOException {
        PrintWriter out = spec.commandLine().getOut();
        ControllerData controller = connection.controller();
        if (json) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", true);
            answer.put("subnqn", subsystemNqn);
            answer.put("controllerId", connection.controllerId());
            answer.put("serial", controller.serial());
            answer.put("model", controller.model());
            answer.put("firmware", controller.firmware());
            connection.authentication().ifPresent(proof -> answer.put("authentication", asMap(proof)));
            answer.put(
                    "namespaces",
                    namespaces.stream().map(ConnectCheckCommand::asMap).toList());
            answer.put("reads", latencies.count());
            answer.put("p50Nanos", latencies.percentileNanos(50));
            answer.put("p99Nanos", latencies.percentileNanos(99));
            out.println(ContractJson.mapper().writeValueAsString(answer));
        } else {
            out.printf(
                    "Connected to %s as controller %d (serial %s, model %s).%n",
                    subsystemNqn, connection.controllerId(), controller.serial(), controller.model());
            out.println(connection
                    .authentication()
                    .map(proof -> "Authenticated with %s, %s, %s."
                            .formatted(proof.hash().label(), proof.group().label(), words(proof.direction())))
                    .orElse("The subsystem asks for no authentication."));
            namespaces.forEach(namespace -> out.printf(
                    "Namespace %d: %d bytes in blocks of %d, UUID %s, NGUID %s.%n",
                    namespace.nsid(),
                    namespace.sizeBytes(),
                    namespace.lbaBytes(),
                    namespace.uuid().map(UUID::toString).orElse("none"),
                    namespace.nguid()));
            out.printf(
                    Locale.ROOT,
                    "%d reads: p50 %.1f us, p99 %.1f us.%n",
                    latencies.count(),
                    latencies.percentileNanos(50) / 1e3,
                    latencies.percentileNanos(99) / 1e3);
        }
        out.flush();
    }

    private static String words(AuthProgress.Direction direction) {
        return switch (direction) {
            case ONE_WAY -> "the host to the controller";
            case TWO_WAY -> "each to the other";
        };
    }

    static Map<String, Object> asMap(AuthProgress.Succeeded proof) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hash", proof.hash().label());
        map.put("dhGroup", proof.group().label());
        map.put("bidirectional", proof.direction() == AuthProgress.Direction.TWO_WAY);
        return map;
    }

    static Map<String, Object> asMap(NamespaceData namespace) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("nsid", namespace.nsid());
        namespace.uuid().ifPresent(uuid -> map.put("uuid", uuid.toString()));
        map.put("nguid", namespace.nguid());
        map.put("eui64", namespace.eui64());
        map.put("sizeBytes", namespace.sizeBytes());
        map.put("lbaBytes", namespace.lbaBytes());
        return map;
    }
}
