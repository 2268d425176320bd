package io.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keeps DESIGN.md section 6, and shows for each rule that it fails when somebody breaks it. */
class ArchitectureTest {

    private static final Path SOURCES = Path.of("src/main/java");

    @Test
    void shouldKeepEveryRuleOfTheHouse() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.fairlead");
        assertThat(classes.size()).as("classes found").isGreaterThan(50);
        for (ArchRule rule : PackageRules.all()) {
            rule.check(classes);
        }
    }

    @Test
    void shouldExplainEveryPackageInAPackageInfo() throws IOException {
        try (Stream<Path> tree = Files.walk(SOURCES)) {
            List<Path> unexplained = tree.filter(Files::isDirectory)
                    .filter(ArchitectureTest::holdsClasses)
                    .filter(directory -> !Files.exists(directory.resolve("package-info.java")))
                    .toList();
            assertThat(unexplained).isEmpty();
        }
    }

    @Test
    void shouldCompileTheProtocolLibraryAloneWithNothingButTheJdk(@TempDir Path out) throws IOException {
        List<Path> sources;
        try (Stream<Path> tree = Files.walk(SOURCES.resolve("io/fairlead/nvme"))) {
            sources = tree.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(sources).hasSizeGreaterThan(20);

        Compilation compilation = Compilation.of(sources, out, List.of("--limit-modules", "java.base"));

        assertThat(compilation.errors()).isEmpty();
    }

    /** A rule, a class that breaks it, and what that class leans on. */
    record Breach(String name, ArchRule rule, String culprit, String... props) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Breach> breaches() {
        String worker = "package io.fairlead.worker.agent; public class W {}";
        String service = "package io.fairlead.management.export; public class X {}";
        return Stream.of(
                new Breach(
                        "management uses the worker",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.management.head; class Culprit { io.fairlead.worker.agent.W w; }",
                        worker),
                new Breach(
                        "the worker uses management",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.worker.agent; class Culprit { io.fairlead.management.export.X x; }",
                        service),
                new Breach(
                        "an early feature uses a later one",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.management.pool; class Culprit { io.fairlead.management.export.X x; }",
                        service),
                new Breach(
                        "somebody names an engine",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.worker.agent; class Culprit { io.fairlead.worker.engine.embedded.E e; }",
                        "package io.fairlead.worker.engine.embedded; public class E {}"),
                new Breach(
                        "one engine uses another",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.worker.engine.spdk; class Culprit { io.fairlead.worker.engine.nvmet.E e; }",
                        "package io.fairlead.worker.engine.nvmet; public class E {}"),
                new Breach(
                        "a class lives in no room",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.helper; class Culprit {}"),
                new Breach(
                        "the wire format knows the target",
                        PackageRules.onlyListedDoorsAreUsed(),
                        "package io.fairlead.nvme.wire; class Culprit { io.fairlead.nvme.target.T t; }",
                        "package io.fairlead.nvme.target; public class T {}"),
                new Breach(
                        "the protocol uses a library",
                        PackageRules.pureCodeUsesTheJdkOnly(),
                        "package io.fairlead.nvme.spec; class Culprit { com.fasterxml.jackson.databind.ObjectMapper m; }"),
                new Breach(
                        "the protocol reads a clock",
                        PackageRules.pureCodeIsGivenTimeChanceAndThreads(),
                        "package io.fairlead.nvme.target; class Culprit { java.time.Clock clock; }"),
                new Breach(
                        "the protocol opens a socket",
                        PackageRules.pureCodeIsGivenTimeChanceAndThreads(),
                        "package io.fairlead.nvme.tcp; class Culprit { java.nio.channels.SocketChannel channel; }"),
                new Breach(
                        "foreign calls outside ffi",
                        PackageRules.onlyTheForeignPackagesCallForeignCode(),
                        "package io.fairlead.worker.inventory; class Culprit { java.lang.foreign.Linker linker; }"),
                new Breach(
                        "the worker uses the application server",
                        PackageRules.theWorkerKnowsNoApplicationServer(),
                        "package io.fairlead.worker.agent; @jakarta.enterprise.context.ApplicationScoped class Culprit {}"),
                new Breach(
                        "foreign code knows NVMe",
                        PackageRules.foreignCodeKnowsNoNvme(),
                        "package io.fairlead.ffi.libc; class Culprit { io.fairlead.nvme.spec.S s; }",
                        "package io.fairlead.nvme.spec; public class S {}"),
                new Breach(
                        "a view shows a secret",
                        PackageRules.viewsHoldNoWireSecrets(),
                        "package io.fairlead.management.host; class CulpritView { io.fairlead.contract.DhchapSecret s; }"));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void shouldFailWhenARuleIsBrokenOnPurpose(Breach breach, @TempDir Path directory) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("src"));
        Path out = Files.createDirectories(directory.resolve("out"));
        List<Path> files = new ArrayList<>();
        files.add(Files.writeString(sources.resolve("Culprit.java"), breach.culprit()));
        for (int i = 0; i < breach.props().length; i++) {
            Path folder = Files.createDirectories(sources.resolve("prop" + i));
            files.add(Files.writeString(folder.resolve(className(breach.props()[i]) + ".java"), breach.props()[i]));
        }
        Compilation compilation =
                Compilation.of(files, out, List.of("-cp", System.getProperty("java.class.path"), "-proc:none"));
        assertThat(compilation.errors()).isEmpty();

        var verdict = breach.rule().evaluate(new ClassFileImporter().importPath(out));

        assertThat(verdict.hasViolation()).as(breach.name()).isTrue();
        assertThat(verdict.getFailureReport().toString()).contains("Culprit");
    }

    private static String className(String source) {
        return source.replaceAll("(?s).*class (\\w+).*", "$1");
    }

    private static boolean holdsClasses(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
