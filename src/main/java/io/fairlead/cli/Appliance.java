package io.fairlead.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small appliance: the management plane with its own database and one worker with the embedded engine, each in a process of its own
 * under one state directory.
 *
 * <pre>
 *   state/management   database, administrator token, master key, enrolment token of the local head
 *   state/worker       ledger
 *   state/pool         volumes
 *   state/*.log        what the processes wrote
 * </pre>
 */
final class Appliance implements AutoCloseable {

    static final String HEAD = "local";
    static final String POOL = "local";

    private static final Duration START_TIME_MAX = Duration.ofSeconds(120);
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final Home home;
    private final Path state;
    private final int port;
    private final Narrator narrator;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private boolean stopping;
    private Part management;
    private Part worker;
    private URI url;

    Appliance(Home home, Path state, int port, Narrator narrator, InstantSource clock) {
        this.home = home;
        this.state = state.toAbsolutePath().normalize();
        this.port = port;
        this.narrator = narrator;
        this.clock = clock;
    }

    /** Returns when the management plane answers and the worker has reported itself and its pool. */
    void start() {
        try {
            createPrivate(state);
            Files.createDirectories(state.resolve("management"));
            Files.createDirectories(state.resolve("worker"));
            Files.createDirectories(state.resolve("pool"));
        } catch (IOException e) {
            throw new CommandFailure("The state directory " + state + " cannot be made: " + e.getMessage(), e);
        }
        narrator.say("Starting PostgreSQL and the management plane ...");
        startManagement(port);
        narrator.say("The management plane answers at " + url);
        narrator.say("Starting a worker with the embedded engine ...");
        startWorker();
        awaitHead();
        narrator.say("Head '" + HEAD + "' is online with pool '" + POOL + "'");
    }

    /** What is kept here, logs included, opens the appliance: it is its owner's alone. */
    private static void createPrivate(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private void startManagement(int onPort) {
        lock.lock();
        try {
            if (stopping) {
                return;
            }
            management = Part.start(
                    "management plane",
                    home.management(
                            "-Dquarkus.http.port=" + onPort, "-Dfairlead.state-dir=" + state.resolve("management")),
                    state.resolve("management.log"),
                    "ready");
        } finally {
            lock.unlock();
        }
        url = URI.create(management.awaitReady(START_TIME_MAX).path("url").asText());
    }

    /** The process that serves the API; tests kill it. */
    Part management() {
        return management;
    }

    /** The process that serves the hosts; tests kill it. */
    Part worker() {
        return worker;
    }

    /** Starts the management plane again, at the same address. */
    void restartManagement() {
        startManagement(url.getPort());
    }

    /** Returns when the worker serves; it needs no management plane once it has enrolled. */
    void startWorker() {
        lock.lock();
        try {
            if (stopping) {
                return;
            }
            worker = Part.start(
                    "worker",
                    home.worker(
                            "--management",
                            url.toString(),
                            "--state-dir",
                            state.resolve("worker").toString(),
                            "--name",
                            HEAD,
                            "--enrolment-token-file",
                            state.resolve("management/enrolment-token").toString(),
                            "--engine",
                            "embedded",
                            "--pool",
                            POOL + "=" + state.resolve("pool")),
                    state.resolve("worker.log"),
                    "serving");
        } finally {
            lock.unlock();
        }
        worker.awaitReady(START_TIME_MAX);
    }

    private void awaitHead() {
        ManagementClient client = client();
        Instant giveUp = clock.instant().plus(START_TIME_MAX);
        while (clock.instant().isBefore(giveUp)) {
            for (JsonNode pool : client.get("/api/v1/pools?limit=100").path("items")) {
                if (pool.path("name").asText().equals(POOL)
                        && pool.path("freeBytes").asLong() > 0) {
                    return;
                }
            }
            pause(Duration.ofMillis(50));
        }
        throw new CommandFailure("The worker did not report its pool; its log is " + state.resolve("worker.log") + ".");
    }

    /**
     * Watches over the two processes until {@link #close()}: one that ends without being asked to is started again. Neither waits for
     * the other: the worker serves while the management plane is away.
     */
    void supervise() throws InterruptedException {
        Thread.ofVirtual().start(() -> keep("management plane", () -> management, this::restartManagement));
        Thread.ofVirtual().start(() -> keep("worker", () -> worker, this::startWorker));
        stopped.await();
    }

    private void keep(String name, java.util.function.Supplier<Part> current, Runnable restart) {
        while (true) {
            current.get().onExit().join();
            if (pause(RESTART_PAUSE)) {
                return;
            }
            narrator.say("The " + name + " ended unexpectedly; starting it again.");
            try {
                restart.run();
                narrator.say("The " + name + " is back.");
            } catch (CommandFailure e) {
                narrator.say(e.getMessage());
            }
        }
    }

    /** Waits a little; true when the appliance is being stopped. */
    private boolean pause(Duration time) {
        try {
            return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw ManagementClient.interrupted(e);
        }
    }

    URI url() {
        return url;
    }

    Path state() {
        return state;
    }

    String administratorToken() {
        Path file = state.resolve("management/admin-token");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailure("The administrator token cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }

    ManagementClient client() {
        return new ManagementClient(url, administratorToken(), clock);
    }

    List<Path> logs() {
        return List.of(state.resolve("management.log"), state.resolve("worker.log"));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
            stopped.countDown();
        } finally {
            lock.unlock();
        }
        if (worker != null) {
            worker.close();
        }
        if (management != null) {
            management.close();
        }
    }
}
