package io.fairlead.worker.ledger;

import static io.fairlead.worker.engine.DesiredStates.MEBIBYTE;
import static io.fairlead.worker.engine.DesiredStates.generation;
import static io.fairlead.worker.engine.DesiredStates.listenerId;
import static io.fairlead.worker.engine.DesiredStates.namespaceId;
import static io.fairlead.worker.engine.DesiredStates.volumeId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.worker.engine.DesiredStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {

    @TempDir
    Path parent;

    private static DesiredState export(long generation, long sizeBytes) {
        return generation(generation)
                .host("h", 1)
                .host("g", 2)
                .listener("lo", "127.0.0.1", 0)
                .export("a", sizeBytes, "h", "lo")
                .build();
    }

    @Test
    void shouldRememberWhatItAcceptedAfterAReopen() throws Exception {
        Enrolment enrolment = new Enrolment(DesiredStates.HEAD, new HeadCredential("secret-credential"));
        HeadMemory.Facts facts = new HeadMemory.Facts(
                Map.of(listenerId("lo"), 4711),
                Set.of(volumeId("a")),
                Map.of("eui.1", namespaceId("d")),
                Map.of("eui.2", DesiredStates.poolId("p")),
                Set.of(DesiredStates.poolId("q")));
        try (Ledger ledger = open()) {
            ledger.enrol(enrolment);
            assertThat(ledger.offer(export(3, MEBIBYTE))).isEqualTo(new Acceptance.Accepted(new Generation(3)));
            ledger.remember(facts);
        }

        try (Ledger ledger = open()) {
            assertThat(ledger.enrolment()).contains(enrolment);
            assertThat(ledger.desired()).contains(export(3, MEBIBYTE));
            assertThat(ledger.recall()).isEqualTo(facts);
            assertThat(ledger.problems()).isEmpty();
        }
    }

    @Test
    void shouldRefuseOlderGeneration() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(3, MEBIBYTE));

            assertThat(ledger.offer(generation(2).build()))
                    .isEqualTo(new Acceptance.Older(new Generation(3), new Generation(2)));
            assertThat(ledger.desired()).contains(export(3, MEBIBYTE));
        }
    }

    @Test
    void shouldRefuseOtherContentUnderTheSameGeneration() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(3, MEBIBYTE));

            assertThat(ledger.offer(export(3, 2 * MEBIBYTE)))
                    .isEqualTo(new Acceptance.Contradiction(new Generation(3)));
            assertThat(ledger.desired()).contains(export(3, MEBIBYTE));
        }
    }

    @Test
    void shouldTakeTheSameContentInAnotherOrderAsTheSame() throws Exception {
        DesiredState left = generation(3).host("h", 1).host("g", 2).build();
        DesiredState right = generation(3).host("g", 2).host("h", 1).build();
        try (Ledger ledger = open()) {
            ledger.offer(left);

            assertThat(ledger.offer(right)).isEqualTo(new Acceptance.Unchanged());
        }
    }

    @Test
    void shouldRefuseTheDesiredStateOfAnotherHead() throws Exception {
        try (Ledger ledger = open()) {
            ledger.enrol(new Enrolment(new HeadId(DesiredStates.id("other head")), new HeadCredential("c")));

            assertThat(ledger.offer(export(1, MEBIBYTE))).isInstanceOf(Acceptance.NotForUs.class);
            assertThat(ledger.desired()).isEmpty();
        }
    }

    @Test
    void shouldUseThePreviousContentWhenTheCurrentFileIsDamaged() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(1, MEBIBYTE));
            ledger.offer(export(2, MEBIBYTE));
        }
        Path current = directory().resolve("ledger.json");
        byte[] bytes = Files.readAllBytes(current);
        bytes[bytes.length / 2] ^= 1;
        Files.write(current, bytes);

        try (Ledger ledger = open()) {
            assertThat(ledger.desired()).contains(export(1, MEBIBYTE));
            assertThat(ledger.problems()).extracting(Reason::code).containsExactly("ledger.damaged");
            assertThat(directory().resolve("ledger.json.damaged")).exists();
            assertThat(ledger.offer(export(2, MEBIBYTE))).isInstanceOf(Acceptance.Accepted.class);
        }
    }

    @Test
    void shouldSurviveAFileThatIsCutAnywhere() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(1, MEBIBYTE));
            ledger.offer(export(2, MEBIBYTE));
        }
        byte[] current = Files.readAllBytes(directory().resolve("ledger.json"));
        byte[] previous = Files.readAllBytes(directory().resolve("ledger.previous.json"));
        for (int length = 0; length < current.length; length += 1 + length / 7) {
            Files.write(directory().resolve("ledger.json"), Arrays.copyOf(current, length));
            Files.write(directory().resolve("ledger.previous.json"), previous);
            try (Ledger ledger = open()) {
                assertThat(ledger.desired()).as("cut to %d bytes", length).contains(export(1, MEBIBYTE));
            }
        }
    }

    @Test
    void shouldStartWithoutADesiredStateWhenNothingSoundIsLeft() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(1, MEBIBYTE));
            ledger.offer(export(2, MEBIBYTE));
        }
        Files.writeString(directory().resolve("ledger.json"), "garbage");
        Files.writeString(directory().resolve("ledger.previous.json"), "");

        try (Ledger ledger = open()) {
            assertThat(ledger.desired()).isEmpty();
            assertThat(ledger.problems()).extracting(Reason::code).contains("ledger.lost");
        }
    }

    @Test
    void shouldLetOnlyItsOwnerReadIt() throws Exception {
        try (Ledger ledger = open()) {
            ledger.offer(export(1, MEBIBYTE));
            ledger.offer(export(2, MEBIBYTE));
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(directory())) {
            assertThat(files.toList())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void shouldLeaveNoPartialFileInTheWay() throws Exception {
        Files.createDirectories(directory());
        Files.writeString(directory().resolve("ledger.json.partial"), "cut sho");

        try (Ledger ledger = open()) {
            assertThat(ledger.desired()).isEmpty();
            assertThat(ledger.problems()).isEmpty();
            assertThat(ledger.offer(export(1, MEBIBYTE))).isInstanceOf(Acceptance.Accepted.class);
        }
    }

    @Test
    void shouldNotBeUsedByTwoWorkers() throws Exception {
        try (Ledger first = open()) {
            assertThat(first.desired()).isEmpty();
            assertThatThrownBy(this::open)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("used by another worker");
        }
    }

    @Test
    void shouldForgetTheDesiredStateOfItsFormerSelf() throws Exception {
        try (Ledger ledger = open()) {
            ledger.enrol(new Enrolment(DesiredStates.HEAD, new HeadCredential("c")));
            ledger.offer(export(9, MEBIBYTE));

            ledger.enrol(new Enrolment(new HeadId(DesiredStates.id("new head")), new HeadCredential("d")));

            assertThat(ledger.desired()).isEmpty();
        }
    }

    @Test
    void shouldNeverPrintASecret() {
        Enrolment enrolment = new Enrolment(DesiredStates.HEAD, new HeadCredential("secret-credential"));

        assertThat(List.of(enrolment.toString(), enrolment.credential().toString()))
                .noneMatch(text -> text.contains("secret-credential"));
        assertThat(LedgerContent.EMPTY.with(enrolment).with(export(1, MEBIBYTE)).toString())
                .doesNotContain("DHHC-1:")
                .doesNotContain("secret-credential");
    }

    private Path directory() {
        return parent.resolve("state");
    }

    private Ledger open() throws IOException {
        return Ledger.open(directory());
    }
}
