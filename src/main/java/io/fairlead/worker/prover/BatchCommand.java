package io.fairlead.worker.prover;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.fairlead.contract.ContractJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs many commands in one process. The secrets of a batch are not in the list of processes. */
@Command(
        name = "batch",
        mixinStandardHelpOptions = true,
        description = {
            "Run many of these commands one after another.",
            "Exit code 0 if all of them ended with 0, else the greatest of their exit codes; nothing runs when a line cannot be read."
        })
final class BatchCommand implements Callable<Integer> {

    private static final TypeReference<List<String>> ARGUMENTS = new TypeReference<>() {};

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A JSON array of arguments per line, such as [\"connect-check\",\"--json\",…]; - for standard input.")
    Path file;

    @CommandLine.Spec
    CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws CommandFailure {
        int worst = 0;
        for (List<String> arguments : read()) {
            CommandLine command = NvmeCommand.commandLine()
                    .setOut(spec.commandLine().getOut())
                    .setErr(spec.commandLine().getErr());
            worst = Math.max(worst, command.execute(arguments.toArray(String[]::new)));
        }
        return worst;
    }

    private List<List<String>> read() throws CommandFailure {
        List<List<String>> commands = new ArrayList<>();
        try (BufferedReader lines = open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    commands.add(parse(line, commands.size() + 1));
                }
            }
        } catch (IOException e) {
            throw new CommandFailure("batch.unreadable", "The batch cannot be read: " + e.getMessage());
        }
        return commands;
    }

    private BufferedReader open() throws IOException {
        return file.toString().equals("-")
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(file);
    }

    private static List<String> parse(String line, int number) throws CommandFailure {
        try {
            return ContractJson.mapper().readValue(line, ARGUMENTS);
        } catch (JsonProcessingException e) {
            // The message of the parser would quote the line, and with it its secrets.
            throw new CommandFailure(
                    "batch.malformed", "Command " + number + " of the batch is not a JSON array of texts.");
        }
    }
}
