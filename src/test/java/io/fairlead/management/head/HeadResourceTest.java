package io.fairlead.management.head;

import static org.hamcrest.Matchers.equalTo;

import io.fairlead.management.intent.WorkerApi;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class HeadResourceTest {

    @Test
    void shouldLockOutAHeadThatWasDeleted() {
        WorkerApi worker = WorkerApi.enrolled();
        String address = "/api/v1/heads/" + worker.head();
        String tag = Api.asAdministrator().get(address).header("ETag");

        Api.asAdministrator().delete(address).then().statusCode(428);
        Api.asAdministrator().header("If-Match", tag).delete(address).then().statusCode(204);

        Api.asAdministrator().get(address).then().statusCode(404);
        worker.desired(0, 0).then().statusCode(401);
    }

    @Test
    void shouldListHeadsAndTellOfOneThatIsNotThere() {
        WorkerApi worker = WorkerApi.enrolled();

        Api.asAdministrator()
                .get("/api/v1/heads?limit=500")
                .then()
                .statusCode(200)
                .body("items.find { it.id == '" + worker.head() + "' }.state", equalTo("ENROLLED"));
        Api.asAdministrator().get("/api/v1/heads/" + UUID.randomUUID()).then().statusCode(404);
    }
}
