package io.fairlead.worker.engine.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.worker.engine.nvmet.Ownership.HostEntry;
import io.fairlead.worker.engine.nvmet.Ownership.NamespaceEntry;
import io.fairlead.worker.engine.nvmet.Ownership.PortEntry;
import io.fairlead.worker.engine.nvmet.Ownership.SubsystemEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnershipTest {

    private static final String BOOT = "f3b1b7f0-7a39-4f0a-9f57-0a2ab6d0a001";

    private final HostEntry host =
            new HostEntry(new HostId(UUID.randomUUID()), "nqn.2026-12.io.example:host", "fingerprint", "written");
    private final SubsystemEntry subsystem =
            new SubsystemEntry(new SubsystemId(UUID.randomUUID()), "nqn.2026-12.io.example:subsystem");
    private final PortEntry port = new PortEntry(new ListenerId(UUID.randomUUID()), 7);

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("nvmet.json");
    }

    private Ownership read() {
        return Ownership.open(file, BOOT);
    }

    private NamespaceEntry namespace(long nsid) {
        return new NamespaceEntry(
                new NamespaceId(UUID.randomUUID()), subsystem.id(), nsid, "/dev/x", "wwn.1", "1:2", 4096, 512, "");
    }

    @Test
    void theNextProcessKnowsWhatTheLastOneMade() {
        NamespaceEntry namespace = namespace(1);
        Ownership written = read();
        written.change(change -> change.put(host));
        written.change(change -> change.put(subsystem).put(port));
        written.change(change -> change.put(namespace).retire(9));

        Ownership read = read();
        assertThat(read.hosts().values()).containsExactly(host);
        assertThat(read.subsystems().values()).containsExactly(subsystem);
        assertThat(read.namespaces().values()).containsExactly(namespace);
        assertThat(read.ports().values()).containsExactly(port);
        assertThat(read.retired()).containsExactly(9);
    }

    @Test
    void whatWasRemovedIsNotThereInTheNextProcess() {
        NamespaceEntry namespace = namespace(1);
        Ownership written = read();
        written.change(change ->
                change.put(host).put(subsystem).put(port).put(namespace).retire(9));
        written.change(change -> change.remove(host.id()).remove(namespace.id()).unretire(9));
        written.change(change -> change.remove(subsystem.id()).remove(port.id()));

        Ownership read = read();
        assertThat(read.hosts()).isEmpty();
        assertThat(read.subsystems()).isEmpty();
        assertThat(read.namespaces()).isEmpty();
        assertThat(read.ports()).isEmpty();
        assertThat(read.retired()).isEmpty();
    }

    @Test
    void aPortThatIsReplacedIsRetiredAndTheNewOneIsNot() {
        Ownership written = read();
        written.change(change -> change.put(port));
        written.change(change -> change.retire(8));
        written.change(
                change -> change.put(new PortEntry(port.id(), 8)).unretire(8).retire(7));

        assertThat(read().ports().get(port.id()).port()).isEqualTo(8);
        assertThat(read().retired()).containsExactly(7);
    }

    @Test
    void aRecordOfAnEarlierBootSaysNothing() {
        Ownership.open(file, "an earlier boot").change(change -> change.put(host));

        assertThat(read().hosts()).isEmpty();
    }

    @Test
    void aLineThatAKilledProcessDidNotEndSaysNothingAndIsWrittenOver() throws IOException {
        read().change(change -> change.put(host));
        Files.writeString(file, "{\"bootId\":\"" + BOOT, StandardOpenOption.APPEND);

        Ownership next = read();
        assertThat(next.hosts().values()).containsExactly(host);
        next.change(change -> change.put(port));
        assertThat(read().hosts().values()).containsExactly(host);
        assertThat(read().ports().values()).containsExactly(port);
    }

    @Test
    void aRecordWithADamagedLineSaysNothingAtAll() throws IOException {
        read().change(change -> change.put(host));
        Files.writeString(file, "{\"bootId\":\n", StandardOpenOption.APPEND);

        assertThat(read().hosts()).isEmpty();
    }

    @Test
    void whatCannotBeWrittenIsNotChangedEither() throws IOException {
        Ownership ownership = read();
        ownership.change(change -> change.put(host));
        Files.delete(file);

        assertThatThrownBy(() -> ownership.change(change -> change.put(port)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot be written");
        assertThat(ownership.ports()).isEmpty();
    }

    @Test
    void aThousandChangesCostAThousandLinesAndNotAMillion() throws IOException {
        Ownership ownership = read();
        for (int nsid = 1; nsid <= 1000; nsid++) {
            NamespaceEntry namespace = namespace(nsid);
            ownership.change(change -> change.put(namespace));
        }
        assertThat(read().namespaces()).hasSize(1000);
        long oneEach = Files.size(file);

        for (int round = 0; round < 20; round++) {
            ownership.namespaces().values().stream()
                    .toList()
                    .forEach(namespace -> ownership.change(change -> change.put(namespace)));
        }
        assertThat(read().namespaces()).hasSize(1000);
        assertThat(Files.size(file)).isLessThan(4 * oneEach);
    }
}
