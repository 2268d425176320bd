package io.fairlead.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./fairlead up}: an appliance on this machine that keeps its state. */
@Command(
        name = "up",
        description = "Starts an appliance on this machine: management plane, database, one worker. Ctrl-C stops it.",
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {

    @Option(names = "--port", defaultValue = "8480", description = "port of the REST API on 127.0.0.1 (default 8480)")
    private int port;

    @Option(names = "--state-dir", description = "where everything is kept (default .fairlead/up beside the launcher)")
    private Path stateDirectory;

    @Override
    public Integer call() throws InterruptedException {
        Home home = Home.fromEnvironment();
        Clock clock = Clock.systemUTC();
        Path state = stateDirectory != null ? stateDirectory : home.root().resolve(".fairlead/up");
        Appliance appliance = new Appliance(home, state, port, new Narrator(System.err, clock), clock);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(appliance::close));
        appliance.start();
        System.out.println("API                  " + appliance.url() + "/api/v1");
        System.out.println("API document         " + appliance.url() + "/q/openapi");
        System.out.println("administrator token  " + appliance.state().resolve("management/admin-token"));
        System.out.println("logs                 " + appliance.state().resolve("*.log"));
        System.out.println("Ctrl-C stops it; what was exported is served again at the next start.");
        appliance.supervise();
        return 0;
    }
}
