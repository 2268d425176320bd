package io.fairlead.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of the commands that start and show an appliance. */
@Command(
        name = "fairlead",
        description = "An NVMe-over-Fabrics storage appliance that proves each path it exports.",
        subcommands = {DemoCommand.class, UpCommand.class},
        mixinStandardHelpOptions = true)
public final class FairleadCommand {

    private FairleadCommand() {}

    public static void main(String[] arguments) {
        CommandLine line = new CommandLine(new FairleadCommand());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            PrintWriter err = command.getErr();
            if (failure instanceof CommandFailure) {
                err.println("fairlead: " + failure.getMessage());
            } else {
                failure.printStackTrace(err);
            }
            err.flush();
            return 1;
        });
        System.exit(line.execute(arguments));
    }
}
