package io.fairlead.management.head;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.fairlead.management.intent.WorkerApi;
import io.fairlead.platform.Api;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class ListenerResourceTest {

    @Test
    void shouldKnowOneAddressHoweverItIsSpelled() {
        String head = WorkerApi.enrolled().head().toString();

        create(head, "[::1]").statusCode(201).body("traddr", equalTo("::1")).body("adrfam", equalTo("ipv6"));
        create(head, "::1").statusCode(409).body("type", containsString("listener.duplicate"));
        create(head, "0:0:0:0:0:0:0:1").statusCode(409);
        create(head, "::ffff:127.0.0.1").statusCode(201).body("adrfam", equalTo("ipv4"));
        create(head, "127.0.0.1").statusCode(409);
        create(head, "fe80::1%lo").statusCode(201).body("traddr", equalTo("fe80::1%lo"));
        create(head, "FE80::1").statusCode(201).body("traddr", equalTo("fe80::1"));
        create(head, "::g")
                .statusCode(422)
                .body("type", containsString("listener.address_invalid"))
                .body("errors[0].pointer", equalTo("/traddr"));
    }

    @Test
    void shouldAskForTheVersionBeforeItDeletes() {
        WorkerApi worker = WorkerApi.enrolled();
        var created = create(worker.head().toString(), "127.0.0.1");
        String address = "/api/v1/listeners/" + created.extract().path("id");
        String tag = created.extract().header("ETag");

        Api.asAdministrator().delete(address).then().statusCode(428);
        Api.asAdministrator()
                .header("If-Match", "\"99\"")
                .delete(address)
                .then()
                .statusCode(412);
        Api.asAdministrator()
                .header("If-Match", "W/" + tag)
                .delete(address)
                .then()
                .statusCode(412);
        Api.asAdministrator().header("If-Match", tag).delete(address).then().statusCode(204);
        Api.asAdministrator().header("If-Match", tag).delete(address).then().statusCode(404);
        worker.desired(0, 0).then().body("generation", equalTo(2)).body("listeners.size()", equalTo(0));
    }

    @Test
    void shouldRefuseATransportThatTheEngineHasNot() {
        WorkerApi worker = WorkerApi.enrolled();
        worker.report(1, 0, java.util.List.of(), java.util.List.of());

        Api.asAdministrator()
                .body(Map.of("headId", worker.head().toString(), "transport", "rdma", "traddr", "127.0.0.1"))
                .post("/api/v1/listeners")
                .then()
                .statusCode(422)
                .body("type", containsString("listener.transport_unsupported"));
    }

    @Test
    void shouldRefuseAHeadThatIsNotThere() {
        create(UUID.randomUUID().toString(), "127.0.0.1")
                .statusCode(404)
                .body("type", containsString("head.not_found"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"transport\":\"tcp\",\"traddr\":\"::1\"}                | 422 | /headId",
                "{\"headId\":\"x\",\"transport\":\"tcp\",\"traddr\":\"::1\"} | 400 | /headId",
                "{\"headId\":\"HEAD\",\"traddr\":\"::1\"}                  | 422 | /transport",
                "{\"headId\":\"HEAD\",\"transport\":\"udp\",\"traddr\":\"::1\"} | 400 | /transport",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\"}               | 422 | /traddr",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\",\"traddr\":1}  | 400 | /traddr",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\",\"traddr\":\"::1\",\"trsvcid\":65536} | 422 | /trsvcid",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\",\"traddr\":\"::1\",\"trsvcid\":-1} | 422 | /trsvcid",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\",\"traddr\":\"::1\",\"trsvcid\":\"1\"} | 400 | /trsvcid",
                "{\"headId\":\"HEAD\",\"transport\":\"tcp\",\"traddr\":\"::1\",\"port\":1} | 400 | /port",
            })
    void shouldNameTheFieldThatIsWrong(String body, int status, String pointer) {
        String head = WorkerApi.enrolled().head().toString();

        Api.asAdministrator()
                .body(body.replace("HEAD", head))
                .post("/api/v1/listeners")
                .then()
                .statusCode(status)
                .body("errors[0].pointer", equalTo(pointer));
    }

    private static ValidatableResponse create(String head, String traddr) {
        return Api.asAdministrator()
                .body(Map.of("headId", head, "transport", "tcp", "traddr", traddr))
                .post("/api/v1/listeners")
                .then();
    }
}
