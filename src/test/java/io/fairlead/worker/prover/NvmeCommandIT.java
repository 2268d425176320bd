package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The host's command line against the embedded target. */
@Timeout(120)
class NvmeCommandIT {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private LiveTarget target;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws Exception {
        target = new LiveTarget();
        address = target.listen("127.0.0.1");
    }

    @AfterEach
    void stop() {
        target.close();
    }

    @Test
    void shouldTellWhatItConnectedTo() throws Exception {
        DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, new Random(1));
        target.demand(new ControllerPolicy(
                List.of(DhchapHash.SHA_256), List.of(DhchapGroup.FFDHE_2048), key, Optional.empty()));

        assertThat(run("connect-check", "--nqn", LiveTarget.SUBSYSTEM, "--json", "--dhchap-secret", key.reveal()))
                .as(err.toString())
                .isZero();

        JsonNode answer = lastLine();
        assertThat(answer.get("ok").asBoolean()).isTrue();
        assertThat(answer.at("/authentication/dhGroup").asText()).isEqualTo("ffdhe2048");
        assertThat(answer.at("/namespaces/0/uuid").asText()).isEqualTo(LiveTarget.NAMESPACE_UUID.toString());
        assertThat(answer.get("reads").asInt()).isEqualTo(64);
        assertThat(out.toString()).doesNotContain(key.reveal());
    }

    @Test
    void shouldSayInASentenceWhatWasRefused() throws Exception {
        DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, new Random(1));
        target.demand(
                new ControllerPolicy(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), key, Optional.empty()));

        assertThat(run("connect-check", "--nqn", LiveTarget.SUBSYSTEM, "--json"))
                .isEqualTo(1);
        assertThat(lastLine().get("check").asText()).isEqualTo("KEY_NOT_PRESENTED");

        String other = DhchapKey.generate(DhchapHash.SHA_256, new Random(2)).reveal();
        assertThat(run("connect-check", "--nqn", LiveTarget.SUBSYSTEM, "--dhchap-secret", other))
                .isEqualTo(1);
        assertThat(err.toString()).contains("refused this host's key", "KEY_MISMATCH");
    }

    @Test
    void shouldRunABatchInOneProcessAndTellItsWorst(@TempDir Path directory) throws Exception {
        List<String> one = List.of(
                "connect-check",
                "--json",
                "--nqn",
                LiveTarget.SUBSYSTEM,
                "--traddr",
                "127.0.0.1",
                "--trsvcid",
                Integer.toString(address.getPort()),
                "--hostnqn",
                LiveTarget.HOST,
                "--hostid",
                LiveTarget.HOST_ID.toString());
        List<String> other = new ArrayList<>(one);
        other.set(3, LiveTarget.SUBSYSTEM + ".absent");
        ObjectMapper json = new ObjectMapper();
        Path file = directory.resolve("batch");
        Files.writeString(file, json.writeValueAsString(other) + "\n\n" + json.writeValueAsString(one) + "\n");

        assertThat(batch(file)).as(err.toString()).isEqualTo(1);

        List<String> answers = out.toString().lines().toList();
        assertThat(answers).hasSize(2);
        assertThat(json.readTree(answers.getFirst()).get("ok").asBoolean()).isFalse();
        assertThat(json.readTree(answers.getLast()).get("ok").asBoolean()).isTrue();
    }

    @Test
    void shouldRunNothingOfABatchThatCannotBeReadAndQuoteNothingOfIt(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("batch");
        Files.writeString(file, "[\"gen-key\"]\n[\"DHHC-1:00:secret\"\n");

        assertThat(batch(file)).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Command 2 of the batch").doesNotContain("DHHC");
    }

    @Test
    void shouldListWhatIsDiscovered() {
        assertThat(run("discover")).isZero();

        assertThat(out.toString()).contains("127.0.0.1 port " + address.getPort() + "  " + LiveTarget.SUBSYSTEM);
    }

    @Test
    void shouldVerifyWhatItWrote() throws Exception {
        assertThat(run(io("--bytes", "4MiB", "--block", "64KiB", "--hdr-digest", "--data-digest")))
                .as(err.toString())
                .isZero();

        JsonNode answer = lastLine();
        assertThat(answer.get("writes").asInt()).isEqualTo(64);
        assertThat(answer.get("reads").asInt()).isEqualTo(64);
        assertThat(answer.get("mismatches").asInt()).isZero();
    }

    @Test
    void shouldComeBackAfterTheTargetVanishedWithoutLosingWhatWasAcknowledged() throws Exception {
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(
                () -> run(io("--bytes", "4MiB", "--block", "16KiB", "--run-seconds", "3")));
        await().until(() -> out.toString().contains("\n"));

        target.vanish();
        target.reappear();

        assertThat(running.get()).as(err.toString()).isZero();
        JsonNode answer = lastLine();
        assertThat(answer.get("reconnects").asInt()).isPositive();
        assertThat(answer.get("mismatches").asInt()).isZero();
        assertThat(answer.get("identityChanges").asInt()).isZero();
        assertThat(answer.get("serial").asText()).isEqualTo("SERIAL-1");
    }

    @Test
    void shouldNoticeDataThatSomebodyElseOverwrote() throws Exception {
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(
                () -> run(io("--bytes", "4MiB", "--block", "16KiB", "--run-seconds", "2")));
        await().until(() -> out.toString().contains("\n"));

        try (HostConnection vandal =
                HostConnection.connect(LiveTarget.host(), address, LiveTarget.SUBSYSTEM, HostOptions.DEFAULT)) {
            vandal.write(vandal.identifyNamespaces().getFirst(), 0, MemorySegment.ofArray(new byte[4 << 20]));
        }

        assertThat(running.get()).isEqualTo(1);
        assertThat(out.toString()).contains("\"code\":\"data.mismatch\"");
    }

    @Test
    void shouldRefuseARangeThatTheNamespaceDoesNotHave() throws Exception {
        assertThat(run(io("--bytes", "1GiB"))).isEqualTo(1);

        assertThat(lastLine().get("code").asText()).isEqualTo("io.range_too_large");
    }

    private JsonNode lastLine() throws Exception {
        List<String> lines = out.toString().lines().toList();
        return new ObjectMapper().readTree(lines.getLast());
    }

    private static String[] io(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("io", "--nqn", LiveTarget.SUBSYSTEM, "--overwrite-data", "--json"));
        arguments.addAll(Arrays.asList(more));
        return arguments.toArray(String[]::new);
    }

    private int batch(Path file) {
        CommandLine commandLine = NvmeCommand.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute("batch", file.toString());
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of(
                "--traddr",
                "127.0.0.1",
                "--trsvcid",
                Integer.toString(address.getPort()),
                "--hostnqn",
                LiveTarget.HOST,
                "--hostid",
                LiveTarget.HOST_ID.toString()));
        CommandLine commandLine = NvmeCommand.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(all.toArray(String[]::new));
    }
}
