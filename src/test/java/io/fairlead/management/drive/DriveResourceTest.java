package io.fairlead.management.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveHealth.Alarm;
import io.fairlead.contract.DriveHealth.Severity;
import io.fairlead.contract.DriveReport;
import io.fairlead.contract.Reason;
import io.fairlead.management.intent.WorkerApi;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class DriveResourceTest {

    private static final Instant READ_AT = Instant.parse("2026-12-07T00:00:00Z");

    private WorkerApi worker;

    @BeforeEach
    void enrolAHead() {
        worker = WorkerApi.enrolled();
    }

    private static DriveReport drive(String identity, Optional<DriveHealth> health) {
        return new DriveReport(
                identity,
                "nvme",
                "nvme0n1",
                "Model",
                "S1",
                1 << 30,
                512,
                DriveReport.Rotation.SOLID_STATE,
                List.of(),
                Optional.of("9.0"),
                health);
    }

    private static Optional<DriveHealth> reading(Alarm... alarms) {
        return Optional.of(new DriveHealth(
                Optional.of(new DriveHealth.Reading(READ_AT, Optional.of(41), 100, 10, 3, 512_000, 0, 7, 1, 0, 0)),
                List.of(alarms),
                Optional.empty()));
    }

    private static Alarm alarm(Severity severity) {
        return new Alarm("drive.worn", severity, "The drive is worn.");
    }

    private void report(long sequence, DriveReport... drives) {
        worker.report(sequence, 0, List.of(), List.of(), drives).then().statusCode(204);
    }

    private ValidatableResponse drives(String filter) {
        return Api.asAdministrator()
                .get("/api/v1/drives?headId=" + worker.head() + filter)
                .then();
    }

    private List<String> identities(String filter) {
        return drives(filter).statusCode(200).extract().path("items.identity");
    }

    @Test
    void shouldShowWhatADriveSaysOfItself() {
        report(1, drive("eui.1", reading(alarm(Severity.WARNING))));

        drives("")
                .statusCode(200)
                .body("items[0].firmware", equalTo("9.0"))
                .body("items[0].health.reading.temperatureCelsius", equalTo(41))
                .body("items[0].health.reading.dataReadBytes", equalTo(512_000))
                .body("items[0].health.reading.readAt", equalTo(READ_AT.toString()))
                .body("items[0].health.alarms[0].code", equalTo("drive.worn"))
                .body("items[0].health.alarms[0].severity", equalTo("WARNING"));
    }

    @Test
    void shouldShowWhyNothingIsKnown() {
        DriveHealth unknown = new DriveHealth(
                Optional.empty(),
                List.of(),
                Optional.of(new Reason("drive.health_not_permitted", "The worker may not ask it.")));
        report(1, drive("eui.1", Optional.of(unknown)));

        drives("")
                .body("items[0].health.problem.code", equalTo("drive.health_not_permitted"))
                .body("items[0].health.reading", nullValue());
    }

    @Test
    void shouldTakeReportsOfAWorkerThatKnowsNothingOfHealth() {
        report(1, drive("eui.1", Optional.empty()));

        drives("").statusCode(200).body("items", hasSize(1)).body("items[0].health", nullValue());
    }

    @Test
    void shouldNarrowTheListToDrivesWithAlarms() {
        report(
                1,
                drive("eui.1", reading()),
                drive("eui.2", reading(alarm(Severity.WARNING))),
                drive("eui.3", reading(alarm(Severity.CRITICAL), alarm(Severity.WARNING))));

        assertThat(identities("&alarm=true")).containsExactlyInAnyOrder("eui.2", "eui.3");
        assertThat(identities("&alarm=warning")).containsExactly("eui.2");
        assertThat(identities("&alarm=critical")).containsExactly("eui.3");
        assertThat(identities("")).containsExactlyInAnyOrder("eui.1", "eui.2", "eui.3");
    }

    @Test
    void shouldKeepTheFilterFromPageToPage() {
        report(
                1,
                Stream.of("eui.1", "eui.2", "eui.3")
                        .map(identity -> drive(identity, reading(alarm(Severity.WARNING))))
                        .toArray(DriveReport[]::new));

        String next = drives("&alarm=true&limit=2")
                .body("items", hasSize(2))
                .extract()
                .path("nextPageToken");

        assertThat(identities("&alarm=true&limit=2&pageToken=" + next)).hasSize(1);
    }

    @Test
    void shouldExplainAFilterThatItDoesNotKnow() {
        drives("&alarm=bad").statusCode(422).body("errors[0].pointer", equalTo("?alarm"));
    }

    @Test
    void shouldCountNoAlarmOfADriveThatIsMissingAndKeepWhatWasKnown() {
        report(1, drive("eui.1", reading(alarm(Severity.CRITICAL))));
        report(2);

        assertThat(identities("&alarm=true")).isEmpty();
        drives("")
                .body("items[0].state", equalTo("MISSING"))
                .body("items[0].health.reading.temperatureCelsius", equalTo(41));
    }
}
