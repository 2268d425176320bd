package io.fairlead.management.drive;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;

import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class DriveMetersTest {

    @Inject
    DriveMeters meters;

    @Test
    void shouldOfferTheAlarmsOfDrivesToAScrape() {
        meters.count();

        given().get("/metrics")
                .then()
                .statusCode(200)
                .body(containsString("fairlead_drive_alarms{severity=\"warning\"}"))
                .body(containsString("fairlead_drive_alarms{severity=\"critical\"}"));
    }
}
