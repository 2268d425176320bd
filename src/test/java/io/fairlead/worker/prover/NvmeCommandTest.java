package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NvmeCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldGenerateAKeyThatIsOne() {
        assertThat(run("gen-key", "--hash", "sha_384")).isZero();

        DhchapKey.Parsed parsed = DhchapKey.parse(out.toString().strip());
        assertThat(((DhchapKey.Parsed.Valid) parsed).key().transformation()).contains(DhchapHash.SHA_384);
    }

    @Test
    void shouldNotOverwriteDataThatNobodyAgreedToLose() {
        assertThat(run(at(1, "io", "--nqn", "nqn.2026-01.io.fairlead:v"))).isEqualTo(2);

        assertThat(err.toString()).contains("--overwrite-data");
    }

    @Test
    void shouldNameTheFailedCheckOfAKeyAndNotTheKey() {
        int code = run(at(
                1,
                "connect-check",
                "--nqn",
                "nqn.2026-01.io.fairlead:v",
                "--json",
                "--dhchap-secret",
                "DHHC-1:07:QUJD:"));

        assertThat(code).isEqualTo(1);
        assertThat(out.toString())
                .contains("\"ok\":false", "\"code\":\"host.key_malformed\"", "hash identifier")
                .doesNotContain("QUJD");
    }

    @Test
    void shouldNotPrintAKeyFromAFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("key");
        Files.writeString(file, "DHHC-1:01:QUJDREVG:\n");

        assertThat(run(at(1, "discover", "--dhchap-secret-file", file.toString())))
                .isEqualTo(1);

        assertThat(err.toString()).contains("not 32, 48 or 64 bytes").doesNotContain("QUJD");
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        assertThat(run(at(port, "connect-check", "--nqn", "nqn.2026-01.io.fairlead:v")))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains("Nobody answers at 127.0.0.1:" + port)
                .contains("host.unreachable");
    }

    @Test
    void shouldReadCountsOfBytes() {
        ByteCount bytes = new ByteCount();

        assertThat(bytes.convert("4096")).isEqualTo(4096);
        assertThat(bytes.convert("128KiB")).isEqualTo(131_072);
        assertThat(bytes.convert("64mib")).isEqualTo(67_108_864);
        assertThat(run(at(1, "io", "--nqn", "n", "--overwrite-data", "--bytes", "lots")))
                .isEqualTo(2);
    }

    private static String[] at(int port, String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--traddr",
                "127.0.0.1",
                "--trsvcid",
                Integer.toString(port),
                "--hostnqn",
                "nqn.2026-01.io.fairlead:host"));
        arguments.addAll(Arrays.asList(more));
        return arguments.toArray(String[]::new);
    }

    private int run(String... arguments) {
        CommandLine commandLine = NvmeCommand.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }
}
