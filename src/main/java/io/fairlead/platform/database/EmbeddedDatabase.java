package io.fairlead.platform.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.Driver;

/**
 * A real PostgreSQL of our own, for a first start without a database server. Data, programs and password are kept in the state
 * directory and survive restarts; it listens on loopback only and wants the password.
 *
 * <p>The server is a process of its own and outlives a management plane that is killed: the next one finds it through
 * {@code postmaster.pid} and goes on with it. A server that dies is started again on the same port. PostgreSQL refuses to run as
 * root, so for root it runs in a user namespace without root's powers.
 *
 * <pre>
 *   state/postgres            data           state/postgres.log       what the server says
 *   state/postgres-programs   programs       state/postgres-password  for the user fairlead
 * </pre>
 */
public final class EmbeddedDatabase {

    private static final String USER = "fairlead";
    private static final String DATABASE = "fairlead";
    private static final Duration START_TIME_MAX = Duration.ofSeconds(90);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(20);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(50);
    private static final Duration RESTART_PAUSE = Duration.ofMillis(500);
    private static final int PID_FILE_PORT_LINE = 3;

    private final Path state;
    private final Path data;
    private final PostgresBinaries binaries;
    private final String password;
    private final int port;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private EmbeddedDatabase(Path state, PostgresBinaries binaries, String password, int port) {
        this.state = state;
        this.data = state.resolve("postgres");
        this.binaries = binaries;
        this.password = password;
        this.port = port;
    }

    /** Starts the server of this state directory, or finds it running; returns when it answers. */
    public static EmbeddedDatabase start(Path state) throws IOException {
        Files.createDirectories(state);
        PostgresBinaries binaries = PostgresBinaries.unpackedIn(state.resolve("postgres-programs"));
        Path data = state.resolve("postgres");
        String password = password(state);
        if (!Files.exists(data)) {
            initialize(state, binaries);
        }
        Optional<Running> running = running(data);
        EmbeddedDatabase database = new EmbeddedDatabase(
                state, binaries, password, running.isPresent() ? running.get().port() : freePort());
        ProcessHandle server = running.isPresent() ? running.get().process() : database.launch();
        database.awaitAnswer(server);
        database.createDatabase();
        Thread.ofPlatform().name("postgres-watch").daemon().start(() -> database.watch(server));
        return database;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Ends the server after its last transaction; returns when it is gone. */
    public void stop() throws IOException {
        stopping.countDown();
        run(
                "stop PostgreSQL",
                binaries.program("pg_ctl").toString(),
                "stop",
                "-D",
                data.toString(),
                "-m",
                "fast",
                "-w",
                "-t",
                Long.toString(STOP_TIME_MAX.toSeconds()));
    }

    /** A server that runs on our data, by its pid file. */
    private record Running(ProcessHandle process, int port) {}

    private static Optional<Running> running(Path data) throws IOException {
        Path file = data.resolve("postmaster.pid");
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (lines.size() <= PID_FILE_PORT_LINE) {
            return Optional.empty();
        }
        long pid = Long.parseLong(lines.getFirst().strip());
        if (isServerOf(pid, data)) {
            int port = Integer.parseInt(lines.get(PID_FILE_PORT_LINE).strip());
            return ProcessHandle.of(pid).map(process -> new Running(process, port));
        }
        // Its process is gone. Should another process have got its number, PostgreSQL would refuse to start because of
        // it.
        Files.delete(file);
        return Optional.empty();
    }

    private static boolean isServerOf(long pid, Path data) throws IOException {
        try {
            String commandLine = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return commandLine.contains(data.toString());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static String password(Path state) throws IOException {
        Path file = state.resolve("postgres-password");
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            Path draft = Files.createTempFile(
                    state,
                    "postgres-password",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, HexFormat.of().formatHex(random) + "\n");
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            return HexFormat.of().formatHex(random);
        }
    }

    /** Initializes beside and renames, so that data that exists is whole. */
    private static void initialize(Path state, PostgresBinaries binaries) throws IOException {
        Path draft = state.resolve("postgres.new");
        PostgresBinaries.deleteTree(draft);
        run(
                "initialize PostgreSQL",
                binaries.program("initdb").toString(),
                "-D",
                draft.toString(),
                "-U",
                USER,
                "--auth=scram-sha-256",
                "--pwfile=" + state.resolve("postgres-password"),
                "--encoding=UTF8",
                "--no-locale",
                "--no-instructions");
        Files.move(draft, state.resolve("postgres"), StandardCopyOption.ATOMIC_MOVE);
    }

    private ProcessHandle launch() throws IOException {
        return new ProcessBuilder(asOrdinaryUser(
                        binaries.program("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "max_connections=60",
                        "-c",
                        "shared_buffers=32MB"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        state.resolve("postgres.log").toFile()))
                .start()
                .toHandle();
    }

    private static List<String> asOrdinaryUser(String... command) {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            whole.addAll(List.of("unshare", "--user"));
        }
        whole.addAll(List.of(command));
        return whole;
    }

    private static void run(String what, String... command) throws IOException {
        Process process = new ProcessBuilder(asOrdinaryUser(command))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("Could not " + what + ": " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer(ProcessHandle server) throws IOException {
        long giveUp = System.nanoTime() + START_TIME_MAX.toNanos();
        while (true) {
            try (Connection connection = connect("postgres")) {
                return;
            } catch (SQLException e) {
                if (!server.isAlive() || System.nanoTime() > giveUp) {
                    throw new IOException(
                            "PostgreSQL does not start; see " + state.resolve("postgres.log") + ": " + e.getMessage(),
                            e);
                }
                pause(LOOK_INTERVAL);
            }
        }
    }

    private void createDatabase() throws IOException {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            if (!statement
                    .executeQuery("select 1 from pg_database where datname = '" + DATABASE + "'")
                    .next()) {
                statement.execute("create database " + DATABASE);
            }
        } catch (SQLException e) {
            throw new IOException("The database could not be made: " + e.getMessage(), e);
        }
    }

    private Connection connect(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", USER);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "5");
        return new Driver().connect("jdbc:postgresql://127.0.0.1:" + port + "/" + database, properties);
    }

    /** Starts the server again whenever it ends without having been asked to. */
    private void watch(ProcessHandle first) {
        ProcessHandle server = first;
        while (true) {
            server.onExit().join();
            if (pause(RESTART_PAUSE)) {
                return;
            }
            System.err.println("PostgreSQL ended unexpectedly; starting it again.");
            try {
                // What is left of a killed server keeps its shared memory for a moment; then this one ends and is tried
                // again.
                server = launch();
            } catch (IOException e) {
                System.err.println("PostgreSQL cannot be started: " + e.getMessage());
                return;
            }
        }
    }

    /** Waits; true when the database is being stopped. */
    private boolean pause(Duration time) {
        try {
            return stopping.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
