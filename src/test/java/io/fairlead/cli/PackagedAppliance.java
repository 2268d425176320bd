package io.fairlead.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the appliance that this build has packaged, as the launcher would. */
final class PackagedAppliance {

    private PackagedAppliance() {}

    static Home home() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        Path app = root.resolve("target/quarkus-app");
        List<Path> jars = Stream.of(jars(app.resolve("app")), jars(app.resolve("lib/main")))
                .flatMap(List::stream)
                .filter(jar -> jar.startsWith(app.resolve("app")) || isOfThePlainClassPath(jar))
                .toList();
        return new Home(
                root,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                jars.stream().map(Path::toString).collect(Collectors.joining(":")));
    }

    static Appliance start(Path state) throws IOException {
        Clock clock = Clock.systemUTC();
        Appliance appliance = new Appliance(home(), state, 0, new Narrator(System.err, clock), clock);
        try {
            appliance.start();
        } catch (RuntimeException e) {
            appliance.close();
            for (Path log : appliance.logs()) {
                if (Files.exists(log)) {
                    System.err.println("== " + log.getFileName() + "\n" + Files.readString(log));
                }
            }
            throw e;
        }
        return appliance;
    }

    private static boolean isOfThePlainClassPath(Path jar) {
        String name = jar.getFileName().toString();
        return name.startsWith("com.fasterxml.jackson.") || name.startsWith("info.picocli.");
    }

    private static List<Path> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
