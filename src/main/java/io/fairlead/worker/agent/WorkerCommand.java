package io.fairlead.worker.agent;

import io.fairlead.worker.engine.EngineSelector;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The worker's command line. */
@Command(
        name = "worker",
        description = "A storage head: serves what the management plane wants, and goes on serving while it is away.",
        mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {

    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,63}");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--management",
            required = true,
            paramLabel = "URL",
            description = "where the management plane is; https, or http to a loopback address")
    private String management;

    @Option(
            names = "--state-dir",
            required = true,
            paramLabel = "DIR",
            description = "where the head keeps who it is and what it serves")
    private Path stateDirectory;

    @Option(
            names = "--name",
            required = true,
            description = "the head's name, unique in the appliance: 1 to 63 of a-z, 0-9 and '-'")
    private String name;

    @Option(names = "--enrolment-token", paramLabel = "TOKEN", description = "one-time token for the first start")
    private String token;

    @Option(
            names = "--enrolment-token-file",
            paramLabel = "FILE",
            description = "file with the one-time token; may appear after the start")
    private Path tokenFile;

    @Option(
            names = "--engine",
            defaultValue = "auto",
            description =
                    "auto, nvmet (the kernel's target), embedded or simulated (serves no I/O); default ${DEFAULT-VALUE}")
    private String engine;

    @Option(
            names = "--pool",
            paramLabel = "NAME=DIR",
            description = "a pool: volumes become preallocated files in the directory; may be given several times")
    private List<String> pools = new ArrayList<>();

    @Option(
            names = "--drive-file",
            paramLabel = "FILE",
            description = "a file that counts as a drive; may be given several times")
    private List<Path> driveFiles = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Worker worker = new Worker(settings(), Clock.systemUTC(), new SecureRandom());
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> {
            worker.close();
            stopped.countDown();
        }));
        worker.start(ServingLine::print);
        stopped.await();
        return 0;
    }

    private WorkerSettings settings() {
        if (!NAME.matcher(name).matches()) {
            throw wrong("--name has to be 1 to 63 of a-z, 0-9 and '-'");
        }
        if (token != null && tokenFile != null) {
            throw wrong("give --enrolment-token or --enrolment-token-file, not both");
        }
        EnrolmentToken enrolmentToken = token != null
                ? new EnrolmentToken.Given(token)
                : tokenFile != null ? new EnrolmentToken.InFile(tokenFile) : new EnrolmentToken.None();
        return new WorkerSettings(
                address(), stateDirectory, name, enrolmentToken, choice(), poolDirectories(), driveFiles);
    }

    private ManagementAddress address() {
        try {
            return ManagementAddress.of(management);
        } catch (IllegalArgumentException e) {
            throw wrong("--management: " + e.getMessage());
        }
    }

    private EngineSelector.Choice choice() {
        try {
            return EngineSelector.Choice.valueOf(engine.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw wrong("--engine: there is no engine '" + engine + "'");
        }
    }

    private Map<String, Path> poolDirectories() {
        Map<String, Path> directories = new LinkedHashMap<>();
        for (String pool : pools) {
            int equals = pool.indexOf('=');
            if (equals < 1 || equals == pool.length() - 1) {
                throw wrong("--pool: '" + pool + "' is not NAME=DIR");
            }
            String poolName = pool.substring(0, equals);
            if (!NAME.matcher(poolName).matches()) {
                throw wrong("--pool: a name has to be 1 to 63 of a-z, 0-9 and '-'");
            }
            if (directories.put(poolName, Path.of(pool.substring(equals + 1))) != null) {
                throw wrong("--pool: there are two pools named " + poolName);
            }
        }
        return directories;
    }

    private ParameterException wrong(String text) {
        return new ParameterException(spec.commandLine(), text);
    }
}
