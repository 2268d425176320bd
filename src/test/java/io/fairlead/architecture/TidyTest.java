package io.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The habits that formatter, compiler and Error Prone do not keep for us. */
class TidyTest {

    private static final Path MAIN = Path.of("src/main/java");
    private static final Path TESTS = Path.of("src/test/java");
    private static final Path DECISIONS = Path.of("src/docs/adr");

    /** Files should fit in a head; the longest one today decides the limit, and it only goes down. */
    private static final int FILE_LINES_MAX = 800;

    @Test
    void shouldNeverSleepForAFixedTimeInATest() throws IOException {
        assertThat(filesWith(TESTS, Pattern.compile("Thread\\.sleep\\(|TimeUnit\\.\\w+\\.sleep\\(")))
                .isEmpty();
    }

    @Test
    void shouldNeverSwitchATestOff() throws IOException {
        assertThat(filesWith(TESTS, Pattern.compile("@Disabled|@Ignore\\b"))).isEmpty();
    }

    @Test
    void shouldLeaveNoNotesToSelfInTheCode() throws IOException {
        Pattern notes = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b");
        assertThat(filesWith(MAIN, notes)).isEmpty();
        assertThat(filesWith(TESTS, notes)).isEmpty();
    }

    @Test
    void shouldKeepFilesSmallEnoughToRead() throws IOException {
        List<String> long_ = new ArrayList<>();
        for (Path file : javaFiles(MAIN)) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES_MAX) {
                long_.add(file + " has " + lines + " lines");
            }
        }
        assertThat(long_).isEmpty();
    }

    @Test
    void shouldHideSecretsInEveryRecordThatHoldsOne() throws IOException {
        // A record prints all of its components unless it says otherwise.
        Pattern record = Pattern.compile("\\brecord (\\w+)(?:<[^>]*>)?\\(([^)]*)\\)[^{]*\\{", Pattern.DOTALL);
        Pattern secret = Pattern.compile(
                "\\b(?:String|byte\\[\\]|char\\[\\]|Optional<String>)\\s+\\w*(?i:secret|password|credential|token)\\b");
        List<String> printable = new ArrayList<>();
        for (Path file : javaFiles(MAIN)) {
            String source = Files.readString(file);
            Matcher matcher = record.matcher(source);
            while (matcher.find()) {
                String body = bodyFrom(source, matcher.end());
                if (secret.matcher(matcher.group(2)).find() && !body.contains("String toString()")) {
                    printable.add(file + ": " + matcher.group(1));
                }
            }
        }
        assertThat(printable).isEmpty();
    }

    @Test
    void shouldNumberDecisionsAsTheirTitlesSay() throws IOException {
        List<String> numbers = new ArrayList<>();
        try (Stream<Path> files = Files.list(DECISIONS)) {
            for (Path file : files.sorted().toList()) {
                String number = file.getFileName().toString().substring(0, 4);
                assertThat(Files.readAllLines(file).getFirst())
                        .as(file.toString())
                        .startsWith("# ADR " + number + ": ");
                assertThat(numbers).as("number used twice").doesNotContain(number);
                numbers.add(number);
            }
        }
        assertThat(numbers).isNotEmpty();
    }

    @Test
    void shouldNameNeitherRegistryHostsNorPathsOfOneMachine() throws IOException {
        Pattern forbidden = Pattern.compile("/(?:work|farm)/(?:main|wt|shared)|repo1?\\.maven\\.|registry\\.npmjs\\.");
        assertThat(filesWith(Path.of("src"), forbidden, "TidyTest.java")).isEmpty();
    }

    private static String bodyFrom(String source, int start) {
        int depth = 1;
        int at = start;
        while (at < source.length() && depth > 0) {
            char c = source.charAt(at++);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        return source.substring(start, at);
    }

    private static List<Path> filesWith(Path root, Pattern pattern, String... except) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                boolean excepted =
                        file.endsWith("TidyTest.java") || Stream.of(except).anyMatch(name -> file.endsWith(name));
                if (!excepted
                        && isText(file)
                        && pattern.matcher(Files.readString(file)).find()) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static boolean isText(Path file) {
        String name = file.toString();
        return Stream.of(".java", ".md", ".yaml", ".yml", ".sql", ".properties", ".json", ".sh", ".xml")
                .anyMatch(name::endsWith);
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }
}
