package io.fairlead.worker.prover;

import io.fairlead.contract.ContractJson;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The host on the command line ({@code ./fairlead nvme}): it discovers, tries a connection and says in a sentence what was refused and
 * by which check, or moves data and verifies it. Exit code 0: all held; 1: something did not; 2: the command line is wrong.
 */
@Command(
        name = "nvme",
        mixinStandardHelpOptions = true,
        description = "An NVMe/TCP host: try a target, see what it offers, and verify data on it.",
        subcommands = {DiscoverCommand.class, ConnectCheckCommand.class, IoCommand.class, BatchCommand.class})
public final class NvmeCommand implements Runnable {

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new NvmeCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExecutionExceptionHandler((failure, line, parsed) -> explain(failure, line));
        return commandLine;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Name a subcommand.");
    }

    @Command(name = "gen-key", description = "Generate a DH-HMAC-CHAP key and print it.")
    int generateKey(
            @Option(names = "--hash", defaultValue = "SHA_256", description = "SHA_256, SHA_384 or SHA_512.")
                    DhchapHash hash) {
        spec.commandLine()
                .getOut()
                .println(DhchapKey.generate(hash, new SecureRandom()).reveal());
        return 0;
    }

    private static int explain(Exception failure, CommandLine line) throws Exception {
        String code;
        String check = null;
        switch (failure) {
            case InitiatorFault fault -> {
                code = fault.kind().code();
                check = fault.check().map(Enum::name).orElse(null);
            }
            case CommandFailure fault -> code = fault.code();
            default -> throw failure;
        }
        Object command = line.getCommand();
        if (command instanceof JsonOutput output && output.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", false);
            answer.put("code", code);
            if (check != null) {
                answer.put("check", check);
            }
            answer.put("sentence", failure.getMessage());
            line.getOut().println(ContractJson.mapper().writeValueAsString(answer));
        } else {
            line.getErr().println(failure.getMessage() + " [" + code + (check == null ? "" : ", " + check) + "]");
        }
        line.getOut().flush();
        return 1;
    }

    /** A command that can answer with one JSON object. */
    interface JsonOutput {
        boolean isJson();
    }
}
