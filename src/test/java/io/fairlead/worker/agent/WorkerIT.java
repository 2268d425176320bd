package io.fairlead.worker.agent;

import static io.fairlead.worker.engine.DesiredStates.MEBIBYTE;
import static io.fairlead.worker.engine.DesiredStates.generation;
import static io.fairlead.worker.engine.DesiredStates.pathId;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.HeadReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.Generation;
import io.fairlead.worker.agent.ScriptedManagement.Mood;
import io.fairlead.worker.engine.EngineSelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with the simulated engine in this process, against a management plane over HTTP. */
class WorkerIT {

    @TempDir
    Path directory;

    private ScriptedManagement management;
    private Worker worker;

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

    @Test
    void shouldReportItselfOnceEnrolled() throws Exception {
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));

        HeadReport report = management.await(any -> !any.pools().isEmpty());

        assertThat(report.generation()).isEqualTo(Generation.NONE);
        assertThat(report.engine().name()).isEqualTo("simulated");
        assertThat(report.engine().capabilities()).contains("transport.tcp");
        assertThat(report.pools()).singleElement().satisfies(pool -> {
            assertThat(pool.name()).isEqualTo("main");
            assertThat(pool.freeBytes()).isPositive();
        });
        assertThat(report.drives())
                .anySatisfy(drive -> assertThat(drive.identity()).isEqualTo("file." + directory.resolve("drive")));
    }

    @Test
    void shouldConvergeAndTellOfEachStepOnce() throws Exception {
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));
        management.offer(export(1));

        Set<StepReport> steps = new HashSet<>();
        HeadReport done = management.await(report -> {
            assertThat(report.steps()).noneMatch(steps::contains);
            steps.addAll(report.steps());
            return isAllReady(report);
        });

        assertThat(done.generation()).isEqualTo(new Generation(1));
        assertThat(steps)
                .extracting(StepReport::outcome)
                .contains(StepReport.Outcome.DONE)
                .doesNotContain(StepReport.Outcome.FAILED);
        HeadReport later = management.await(
                report -> report.paths().stream().anyMatch(path -> path.state() == PathReport.State.UNPROVEN));
        assertThat(later.paths()).singleElement().satisfies(path -> {
            assertThat(path.id()).isEqualTo(pathId("a"));
            assertThat(path.reason().map(Reason::code)).contains("path.no_io");
        });
    }

    @Test
    void shouldWaitForAnEnrolmentTokenThatIsWrittenLater() throws Exception {
        Path file = directory.resolve("token");
        start(new EnrolmentToken.InFile(file));

        Files.writeString(file, ScriptedManagement.TOKEN + "\n");

        assertThat(management.await(report -> true).headId()).isNotNull();
    }

    @Test
    void shouldOutliveAManagementPlaneThatFailsInEachWay() throws Exception {
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));
        management.await(report -> true);
        long generation = 0;
        for (Mood mood : List.of(Mood.AWAY, Mood.FAILING, Mood.GARBAGE)) {
            management.become(mood);
            management.awaitRequests(management.requestCount() + 3);
            generation++;
            management.offer(export(generation));
            management.become(Mood.WELL);

            Generation expected = new Generation(generation);
            assertThat(management
                            .await(report ->
                                    isAllReady(report) && report.generation().equals(expected))
                            .generation())
                    .isEqualTo(expected);
        }
    }

    @Test
    void shouldGoOnReportingWhenTheManagementPlaneCannotReadSomeStep() throws Exception {
        management.refuseSteps();
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));
        management.offer(export(1));

        assertThat(management.await(WorkerIT::isAllReady).steps()).isEmpty();
    }

    @Test
    void shouldKeepWhatItHasWhenAnOlderGenerationIsOffered() throws Exception {
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));
        management.offer(export(5));
        management.await(WorkerIT::isAllReady);
        worker.close();
        management.offer(generation(4).build());

        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));

        HeadReport report = management.await(WorkerIT::isAllReady);
        assertThat(report.generation()).isEqualTo(new Generation(5));
    }

    @Test
    void shouldGiveEachStartItsOwnBootIdAndCountReports() throws Exception {
        start(new EnrolmentToken.Given(ScriptedManagement.TOKEN));
        HeadReport first = management.await(report -> true);
        management.offer(export(1));
        HeadReport second = management.await(report -> true);
        worker.close();
        start(new EnrolmentToken.None());
        HeadReport third = management.await(report -> !report.bootId().equals(first.bootId()));

        assertThat(second.bootId()).isEqualTo(first.bootId());
        assertThat(second.sequence()).isGreaterThan(first.sequence());
        assertThat(third.sequence()).isPositive();
    }

    private void start(EnrolmentToken token) throws IOException {
        WorkerSettings settings = new WorkerSettings(
                ManagementAddress.of(management.url()),
                directory.resolve("state"),
                "head",
                token,
                EngineSelector.Choice.SIMULATED,
                Map.of("main", directory.resolve("pool")),
                List.of(directory.resolve("drive")));
        worker = new Worker(settings, InstantSource.system(), new Random(1));
        worker.start(findings -> {});
    }

    private static DesiredState export(long generation) {
        return generation(generation)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .export("a", MEBIBYTE, "h", "lo")
                .build();
    }

    private static boolean isAllReady(HeadReport report) {
        return !report.objects().isEmpty()
                && report.objects().stream().allMatch(object -> object.state() == ObjectState.READY);
    }
}
