package io.fairlead.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.core.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code failures.md} tells the truth about {@link FailureCode}, and all of it. */
class FailuresTest {

    /** A row as the document has it. */
    private record Documented(String code, int status, String meaning, String who, String how) {}

    private static List<Documented> documented() throws IOException {
        return Files.readAllLines(Path.of("src/docs/failures.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> new Documented(
                        cells[1].strip().replace("`", ""),
                        Integer.parseInt(cells[2].strip()),
                        cells[3].strip(),
                        cells[4].strip(),
                        cells[5].strip()))
                .toList();
    }

    @Test
    void shouldDocumentEachFailureOnceWithItsStatusAndMeaning() throws IOException {
        List<List<Object>> fromCode = Arrays.stream(FailureCode.values())
                .map(code -> List.<Object>of(code.code(), Problem.statusOf(code), code.title()))
                .toList();
        List<List<Object>> fromDocument = documented().stream()
                .map(row -> List.<Object>of(row.code(), row.status(), row.meaning()))
                .toList();

        assertThat(fromDocument).containsExactlyElementsOf(fromCode);
    }

    @Test
    void shouldSayWhoReactsAndHow() throws IOException {
        assertThat(documented()).allSatisfy(row -> {
            assertThat(row.who()).isIn("program", "operator", "administrator", "developer");
            assertThat(row.how()).hasSizeGreaterThan(10).endsWith(".");
        });
    }
}
