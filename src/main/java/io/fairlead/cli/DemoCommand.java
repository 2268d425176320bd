package io.fairlead.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fairlead.contract.ContractJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./fairlead demo}: the main job on this machine, from nothing to verified data, in a state directory of its own that goes with it. */
@Command(
        name = "demo",
        description =
                "Carves, exports, proves, writes and verifies two volumes on this machine, and shows two refusals.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

    @Option(names = "--once", description = "end after the proof; the exit code is 0 only if all of it held")
    private boolean once;

    @Option(names = "--json", description = "print the outcome as one JSON object on standard output")
    private boolean asJson;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Home home = Home.fromEnvironment();
        Clock clock = Clock.systemUTC();
        Narrator narrator = new Narrator(System.err, clock);
        Path demos = Files.createDirectories(home.root().resolve(".fairlead"));
        Path state = Files.createTempDirectory(demos, "demo-");
        Appliance appliance = new Appliance(home, state, 0, narrator, clock);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
            appliance.close();
            deleteTree(state);
        }));
        appliance.start();
        Demo.Outcome outcome = new Demo(home, appliance, narrator).run();
        print(outcome, appliance);
        if (!once) {
            narrator.say("The appliance stays up until Ctrl-C.");
            appliance.supervise();
        }
        return outcome.proven() ? 0 : 1;
    }

    private void print(Demo.Outcome outcome, Appliance appliance) throws JsonProcessingException {
        if (asJson) {
            System.out.println(ContractJson.mapper()
                    .writer()
                    .without(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(outcome));
        } else {
            outcome.describe(System.out);
            describeAccess(System.out, appliance);
        }
        System.out.flush();
    }

    private static void describeAccess(PrintStream out, Appliance appliance) {
        out.println();
        out.println("API      " + appliance.url() + "/api/v1");
        out.println("token    " + appliance.administratorToken());
    }

    private static void deleteTree(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.err.println("fairlead: " + directory + " could not be removed entirely: " + e.getMessage());
        }
    }
}
