package io.fairlead.worker.agent;

import static io.fairlead.worker.engine.DesiredStates.MEBIBYTE;
import static io.fairlead.worker.engine.DesiredStates.generation;
import static io.fairlead.worker.engine.DesiredStates.volumeId;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.HeadReport;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Transport;
import io.fairlead.core.Generation;
import io.fairlead.worker.engine.DesiredStates;
import io.fairlead.worker.prover.PathTarget;
import io.fairlead.worker.prover.Prover;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real worker process is killed while it makes, grows and serves volumes, and comes back with everything as it was. */
class WorkerKillIT {

    @TempDir
    Path directory;

    private ScriptedManagement management;
    private WorkerProcess worker;

    @BeforeEach
    void startManagement() throws IOException {
        management = new ScriptedManagement();
    }

    @AfterEach
    void stop() {
        if (worker != null) {
            worker.close();
        }
        management.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simulated", "embedded"})
    void shouldServeTheSameAfterAKillWhileTheManagementPlaneIsAway(String engine) throws Exception {
        start(engine);
        management.offer(exports(1, MEBIBYTE));
        Map<UUID, Map<String, String>> before = identities(management.await(WorkerKillIT::isAllReady));
        worker.kill();
        management.become(ScriptedManagement.Mood.AWAY);

        start(engine);
        JsonNode serving = worker.awaitServing();

        assertThat(serving.path("event").asText()).isEqualTo("serving");
        assertThat(serving.path("generation").asLong()).isEqualTo(1);
        assertThat(serving.path("ready").asInt())
                .isEqualTo(serving.path("objects").asInt())
                .isPositive();
        management.become(ScriptedManagement.Mood.WELL);
        HeadReport after = management.await(WorkerKillIT::isAllReady);
        assertThat(identities(after)).isEqualTo(before);
    }

    @Test
    void shouldServeHostsAgainAfterAKillWhileTheManagementPlaneIsAway() throws Exception {
        start("embedded");
        DesiredState desired = exports(1, MEBIBYTE);
        management.offer(desired);
        HeadReport proven = management.await(report -> report.paths().size() == 2
                && report.paths().stream().allMatch(path -> path.state() == PathReport.State.PROVEN));
        int port = proven.paths().getFirst().proof().orElseThrow().trsvcid();
        byte[] data = new byte[4096];
        new Random(7).nextBytes(data);
        worker.kill();
        write("a", data);
        management.become(ScriptedManagement.Mood.AWAY);

        start("embedded");
        worker.awaitServing();

        Prover host = new Prover(InstantSource.system(), System::nanoTime);
        for (int index = 0; index < 2; index++) {
            PathReport report = host.prove(new PathTarget(
                    desired.paths().get(index).id(),
                    Transport.TCP,
                    desired.hosts().getFirst(),
                    desired.subsystems().get(index),
                    "127.0.0.1",
                    port));
            assertThat(report.state()).as("%s", report).isEqualTo(PathReport.State.PROVEN);
            assertThat(report.proof().orElseThrow().refusalWithoutKey()).contains(true);
        }
        assertThat(read("a", data.length)).isEqualTo(data);
    }

    @Test
    void shouldTellOfARefusedHostButNotOfItsOwnProbes() throws Exception {
        start("embedded");
        DesiredState desired = exports(1, MEBIBYTE);
        management.offer(desired);
        HeadReport proven = management.await(report -> report.paths().size() == 2
                && report.paths().stream().allMatch(path -> path.state() == PathReport.State.PROVEN));
        assertThat(proven.authenticationFailures()).isEmpty();
        DesiredHost wrong =
                DesiredStates.generation(1).host("h", 99).build().hosts().getFirst();

        PathReport refused = new Prover(InstantSource.system(), System::nanoTime)
                .prove(new PathTarget(
                        desired.paths().getFirst().id(),
                        Transport.TCP,
                        wrong,
                        desired.subsystems().getFirst(),
                        "127.0.0.1",
                        proven.paths().getFirst().proof().orElseThrow().trsvcid()));

        assertThat(refused.state()).isEqualTo(PathReport.State.FAILED);
        HeadReport told = management.await(report -> report.authenticationFailures().stream()
                .anyMatch(failure -> failure.check() == AuthenticationFailureReport.Check.KEY_MISMATCH));
        assertThat(told.authenticationFailures())
                .allSatisfy(failure -> assertThat(failure.hostNqn()).isEqualTo(wrong.nqn()));
    }

    /** The moment of the kill is drawn anew each time, from before the first byte to after the last. */
    @RepeatedTest(4)
    void shouldFinishWhatAKillInterrupted(RepetitionInfo repetition) throws Exception {
        long seed = 20261201L + repetition.getCurrentRepetition();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        start();
        worker.awaitServing();
        management.offer(exports(1, 24 * MEBIBYTE));
        awaitBytes(random.nextLong(40 * MEBIBYTE));
        worker.kill();

        start();
        HeadReport made = management.await(WorkerKillIT::isAllReady);
        Map<UUID, Map<String, String>> identities = identities(made);
        byte[] data = new byte[4096];
        random.nextBytes(data);
        write("a", data);

        management.offer(exports(2, 40 * MEBIBYTE));
        awaitBytes(48 * MEBIBYTE + random.nextLong(30 * MEBIBYTE));
        worker.kill();
        start();
        HeadReport grown = management.await(
                report -> isAllReady(report) && report.generation().equals(new Generation(2)));

        identities
                .values()
                .forEach(facts -> facts.computeIfPresent("sizeBytes", (name, size) -> Long.toString(40 * MEBIBYTE)));
        assertThat(identities(grown)).isEqualTo(identities);
        assertThat(read("a", data.length)).isEqualTo(data);
        assertThat(Files.size(volume("a"))).isEqualTo(40 * MEBIBYTE);
        assertThat(names()).noneMatch(name -> name.endsWith(".partial"));
    }

    @Test
    void shouldStopWhenToldTo() throws Exception {
        start();
        worker.awaitServing();
        management.offer(exports(1, MEBIBYTE));
        management.await(WorkerKillIT::isAllReady);

        // 128 + SIGTERM.
        assertThat(worker.stop()).isEqualTo(143);
        assertThat(log()).doesNotContain("did-not-stop").doesNotContain("Exception");
    }

    @Test
    void shouldNeverLogASecret() throws Exception {
        start();
        management.offer(exports(1, MEBIBYTE));
        management.await(WorkerKillIT::isAllReady);
        worker.stop();

        assertThat(log())
                .contains("event=accepted generation=1")
                .doesNotContain("DHHC-1:")
                .doesNotContain(ScriptedManagement.TOKEN)
                .doesNotContain(ScriptedManagement.CREDENTIAL);
    }

    private void start() throws IOException {
        start("simulated");
    }

    private void start(String engine) throws IOException {
        worker = WorkerProcess.start(
                management.url(),
                directory.resolve("state"),
                directory.resolve("worker.log"),
                "--enrolment-token",
                ScriptedManagement.TOKEN,
                "--engine",
                engine,
                "--pool",
                "main=" + directory.resolve("pool"));
    }

    private static DesiredState exports(long generation, long sizeBytes) {
        return generation(generation)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("a", sizeBytes, "h", "lo")
                .export("b", sizeBytes, "h", "lo")
                .build();
    }

    private static boolean isAllReady(HeadReport report) {
        return !report.objects().isEmpty()
                && report.objects().stream().allMatch(object -> object.state() == ObjectState.READY);
    }

    /** What a host knows its disks by, and where it finds them. */
    private static Map<UUID, Map<String, String>> identities(HeadReport report) {
        Map<UUID, Map<String, String>> identities = new TreeMap<>();
        for (ObjectReport object : report.objects()) {
            if (object.kind() != ObjectKind.VOLUME) {
                identities.put(object.id(), new TreeMap<>(object.observed()));
            }
        }
        assertThat(identities).hasSize(6);
        return identities;
    }

    /** Returns once the pool holds that many bytes, or all volumes are made. */
    private void awaitBytes(long bytes) throws IOException {
        long giveUp = System.nanoTime() + 20_000_000_000L;
        while (bytesInPool() < bytes && System.nanoTime() < giveUp) {
            Thread.onSpinWait();
        }
    }

    private long bytesInPool() throws IOException {
        long bytes = 0;
        for (String name : names()) {
            try {
                bytes += Files.size(directory.resolve("pool").resolve(name));
            } catch (NoSuchFileException e) {
                // Renamed between the listing and the question.
            }
        }
        return bytes;
    }

    private List<String> names() throws IOException {
        Path pool = directory.resolve("pool");
        if (!Files.isDirectory(pool)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(pool)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private Path volume(String name) {
        return directory.resolve("pool").resolve(volumeId(name) + ".volume");
    }

    private void write(String name, byte[] data) throws IOException {
        try (FileChannel channel = FileChannel.open(volume(name), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(data), 0);
        }
    }

    private byte[] read(String name, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(volume(name), StandardOpenOption.READ)) {
            ByteBuffer data = ByteBuffer.allocate(length);
            channel.read(data, 0);
            return data.array();
        }
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("worker.log"));
    }
}
