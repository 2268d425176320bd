package io.fairlead.worker.prover;

import io.fairlead.contract.ContractJson;
import io.fairlead.nvme.initiator.DiscoveryEntry;
import io.fairlead.nvme.initiator.DiscoveryLog;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the discovery log as a host. */
@Command(
        name = "discover",
        mixinStandardHelpOptions = true,
        description = "List the subsystems that the target offers to this host.")
final class DiscoverCommand implements Callable<Integer>, NvmeCommand.JsonOutput {

    @Mixin
    ConnectOptions connect;

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
        DiscoveryLog log = HostConnection.discover(connect.identity(), connect.address(), connect.options());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", true);
            answer.put("generation", log.generation());
            answer.put(
                    "entries",
                    log.entries().stream().map(DiscoverCommand::asMap).toList());
            out.println(ContractJson.mapper().writeValueAsString(answer));
        } else {
            log.entries()
                    .forEach(entry -> out.printf(
                            "%-6s%-6s%s port %s  %s%n",
                            transport(entry), family(entry), entry.traddr(), entry.trsvcid(), entry.subsystemNqn()));
            out.printf("%d entries%n", log.entries().size());
        }
        out.flush();
        return 0;
    }

    private static Map<String, Object> asMap(DiscoveryEntry entry) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("trtype", transport(entry));
        map.put("adrfam", family(entry));
        map.put("traddr", entry.traddr());
        map.put("trsvcid", entry.trsvcid());
        map.put("subnqn", entry.subsystemNqn());
        map.put("subtype", entry.subsystemType() == DiscoveryEntry.NVM_SUBSYSTEM ? "nvm" : "discovery");
        map.put("portid", entry.portId());
        return map;
    }

    private static String transport(DiscoveryEntry entry) {
        List<String> names = List.of("?", "rdma", "fc", "tcp");
        int type = entry.transportType();
        return type < names.size() ? names.get(type) : Integer.toString(type);
    }

    private static String family(DiscoveryEntry entry) {
        List<String> names = List.of("?", "ipv4", "ipv6");
        int family = entry.addressFamily();
        return family < names.size() ? names.get(family) : Integer.toString(family);
    }
}
