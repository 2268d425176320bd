package io.fairlead.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.ContractJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One process of the appliance. Its standard output is read for the one JSON line that says it is ready; everything it writes also
 * goes to a log file.
 */
final class Part implements AutoCloseable {

    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(20);

    private final String name;
    private final Process process;
    private final Path log;
    private final CompletableFuture<JsonNode> ready = new CompletableFuture<>();

    private Part(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the process.
     *
     * @param event the value of {@code event} in the JSON line that says that the process is ready
     */
    static Part start(String name, List<String> command, Path log, String event) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Part part = new Part(name, process, log);
            Thread.ofPlatform().name(name + "-output").daemon().start(() -> part.watch(event));
            return part;
        } catch (IOException e) {
            throw new CommandFailure("The " + name + " could not be started: " + e.getMessage(), e);
        }
    }

    private void watch(String event) {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                var copy = Files.newBufferedWriter(
                        log, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND)) {
            String line;
            while ((line = out.readLine()) != null) {
                copy.write(line);
                copy.newLine();
                copy.flush();
                JsonNode said = asJson(line);
                if (said != null && event.equals(said.path("event").asText())) {
                    ready.complete(said);
                }
            }
            ready.completeExceptionally(new CommandFailure(describeEnd()));
        } catch (IOException e) {
            ready.completeExceptionally(new CommandFailure("The output of the " + name + " broke off: " + e, e));
        }
    }

    private static JsonNode asJson(String line) {
        if (!line.startsWith("{")) {
            return null;
        }
        try {
            return ContractJson.mapper().readTree(line);
        } catch (JsonProcessingException e) {
            // Not every line that starts with a brace is meant for us; it is in the log all the same.
            return null;
        }
    }

    /** What the process said when it was ready. */
    JsonNode awaitReady(Duration patience) {
        try {
            return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailure(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new CommandFailure(
                    "The " + name + " was not ready after " + patience.toSeconds() + " s; its log is " + log + ".", e);
        } catch (InterruptedException e) {
            throw ManagementClient.interrupted(e);
        }
    }

    /** Ends the process as a power cut would: it cannot clean up. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    CompletableFuture<Process> onExit() {
        return process.onExit();
    }

    private String describeEnd() {
        String ending;
        try {
            ending = String.format(Locale.ROOT, "ended with code %d", process.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ending = "ended";
        }
        return "The " + name + " " + ending + " before it was ready; its log is " + log + ".";
    }

    /** Asks the process to end, and ends it when it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
