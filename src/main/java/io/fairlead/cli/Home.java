package io.fairlead.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Where Fairlead is installed and how its processes are started. */
record Home(Path root, Path java, String classPath) {

    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");

    static Home fromEnvironment() {
        String root = System.getenv("FAIRLEAD_HOME");
        if (root == null || !Files.isDirectory(Path.of(root))) {
            throw new CommandFailure("Start this through ./fairlead, which sets FAIRLEAD_HOME.");
        }
        return new Home(
                Path.of(root),
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"));
    }

    /** The management plane; it needs no optimizing compiler for the hour that a small appliance lives. */
    List<String> management(String... systemProperties) {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(OPTIONS);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx1g"));
        command.addAll(Arrays.asList(systemProperties));
        command.addAll(List.of(
                "-jar", root.resolve("target/quarkus-app/quarkus-run.jar").toString()));
        return command;
    }

    List<String> worker(String... arguments) {
        return plain("-Xmx512m", "io.fairlead.worker.agent.WorkerMain", arguments);
    }

    List<String> nvme(String... arguments) {
        return plain("-Xmx256m", "io.fairlead.worker.prover.NvmeCommand", arguments);
    }

    private List<String> plain(String memory, String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(OPTIONS);
        command.addAll(List.of(memory, "-cp", classPath, main));
        command.addAll(Arrays.asList(arguments));
        return command;
    }
}
