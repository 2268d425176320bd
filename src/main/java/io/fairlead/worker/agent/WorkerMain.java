package io.fairlead.worker.agent;

import picocli.CommandLine;

/** Starts a worker from a plain class path. Logs go to standard error, one line per event; standard output is for {@link ServingLine}. */
public final class WorkerMain {

    private WorkerMain() {}

    public static void main(String[] arguments) {
        // Before the first logger is made: the platform's own handler, in one line.
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty(
                    "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL%1$tz %4$s %3$s %5$s%6$s%n");
        }
        CommandLine line = new CommandLine(new WorkerCommand());
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            command.getErr().println("worker: " + e.getMessage());
            return 1;
        });
        System.exit(line.execute(arguments));
    }
}
