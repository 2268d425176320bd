package io.fairlead.management.head;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class HeadMetersTest {

    @Inject
    HeadMeters meters;

    @Test
    void shouldOfferCountsToAScrapeWithAFixedNumberOfLabels() {
        meters.count();

        given().get("/metrics")
                .then()
                .statusCode(200)
                .body(containsString("fairlead_heads{state=\"online\"}"))
                .body(containsString("fairlead_objects{state=\"degraded\"}"))
                .body(containsString("fairlead_jobs{state=\"running\"}"));
    }

    @Test
    void shouldBeReadyWhateverTheHeadsSay() {
        given().get("/health/ready").then().statusCode(200).body("status", equalTo("UP"));
        given().get("/health/well").then().body("checks.name", hasItem("heads"));
    }
}
