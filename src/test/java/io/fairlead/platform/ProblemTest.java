package io.fairlead.platform;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is wrong with a request is answered with a problem document that says so. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class ProblemTest {

    private static final String TOKENS = "/api/v1/heads/enrolment-tokens";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"validSeconds\":             | 400 | request.malformed     |",
                "nonsense                       | 400 | request.malformed     |",
                "null                           | 400 | request.malformed     |",
                "{} {}                          | 400 | request.malformed     |",
                "{\"validSeconds\":60,\"validSeconds\":61} | 400 | request.malformed |",
                "[]                             | 400 | request.wrong_type    | ''",
                "{\"validSecond\":60}           | 400 | request.unknown_field | /validSecond",
                "{\"validSeconds\":\"60\"}      | 400 | request.wrong_type    | /validSeconds",
                "{\"validSeconds\":60.5}        | 400 | request.wrong_type    | /validSeconds",
                "{\"validSeconds\":true}        | 400 | request.wrong_type    | /validSeconds",
                "{\"validSeconds\":[1]}         | 400 | request.wrong_type    | /validSeconds",
                "{\"validSeconds\":99999999999999999999} | 400 | request.wrong_type | /validSeconds",
                "{\"validSeconds\":59}          | 422 | request.invalid       | /validSeconds",
                "{\"validSeconds\":604801}      | 422 | request.invalid       | /validSeconds",
            })
    void shouldNameTheFieldAndTheKindOfABadBody(String body, int status, String code, String pointer) {
        var answer = Api.asAdministrator().body(body).post(TOKENS).then();

        answer.statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:fairlead:problem:" + code))
                .body("status", equalTo(status))
                .body("title", notNullValue())
                .body("detail", notNullValue())
                .body("instance", startsWith("urn:uuid:"));
        if (pointer != null) {
            answer.body("errors[0].pointer", equalTo(pointer));
        }
    }

    @Test
    void shouldRefuseAnEmptyBody() {
        Api.asAdministrator().post(TOKENS).then().statusCode(400).body("type", containsString("request.malformed"));
    }

    @Test
    void shouldAnswerAnUnknownAddressWithAProblem() {
        expectProblem(Api.asAdministrator().get("/api/v1/nothing").then(), 404, "request.not_found");
        expectProblem(Api.asAdministrator().get("/api/v1/heads/not-an-id").then(), 404, "request.not_found");
    }

    @Test
    void shouldAnswerAWrongMethodWithAProblem() {
        expectProblem(
                Api.asAdministrator().body("{}").patch("/api/v1/heads").then(), 405, "request.method_not_allowed");
    }

    @Test
    void shouldAnswerAWrongMediaTypeWithAProblem() {
        expectProblem(
                Api.asAdministrator()
                        .contentType("text/plain")
                        .body("{}")
                        .post(TOKENS)
                        .then(),
                415,
                "request.media_type");
    }

    @Test
    void shouldAnswerAMissingOrWrongCredentialWithAProblem() {
        expectProblem(given().get("/api/v1/heads").then(), 401, "request.unauthenticated");
        expectProblem(given().auth().oauth2("fla_wrong").get("/api/v1/heads").then(), 401, "request.unauthenticated");
        expectProblem(given().auth().oauth2("flh_wrong").get("/api/v1/heads").then(), 401, "request.unauthenticated");
        expectProblem(
                given().header("Authorization", "Basic YTpi")
                        .get("/api/v1/heads")
                        .then(),
                401,
                "request.unauthenticated");
    }

    @ParameterizedTest
    @CsvSource({"limit,0", "limit,501", "limit,-1", "limit,ten", "pageToken,x", "pageToken,MTpub3BlCg"})
    void shouldNameABadQueryParameter(String name, String value) {
        Api.asAdministrator()
                .queryParam(name, value)
                .get("/api/v1/heads")
                .then()
                .statusCode(422)
                .body("errors[0].pointer", equalTo("?" + name));
    }

    private static void expectProblem(io.restassured.response.ValidatableResponse answer, int status, String code) {
        answer.statusCode(status)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:fairlead:problem:" + code))
                .header("X-Request-Id", notNullValue());
    }
}
