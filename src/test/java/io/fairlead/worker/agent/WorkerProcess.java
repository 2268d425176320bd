package io.fairlead.worker.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.ContractJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real worker process, which a test may kill. */
final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private WorkerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static WorkerProcess start(String management, Path state, Path log, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                "--management",
                management,
                "--state-dir",
                state.toString(),
                "--name",
                "head"));
        command.addAll(Arrays.asList(more));
        return new WorkerProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    /** The line by which it says that it serves. */
    JsonNode awaitServing() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new AssertionError("the worker ended before it served");
        }
        return ContractJson.mapper().readTree(line);
    }

    /** kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM; returns the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new AssertionError("the worker did not stop when it was told to");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
