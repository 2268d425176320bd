package io.fairlead.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;

import io.fairlead.platform.database.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class IdempotentPostsTest {

    private static final String TOKENS = "/api/v1/heads/enrolment-tokens";

    @Inject
    Sql sql;

    @Test
    void shouldGiveTheSameAnswerToTheSameRequest() {
        String key = UUID.randomUUID().toString();

        Response first = post(key, "{}");
        Response second = post(key, "{}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.asString()).isEqualTo(first.asString());
    }

    @Test
    void shouldRefuseAnotherBodyUnderTheSameKey() {
        String key = UUID.randomUUID().toString();
        post(key, "{}");

        post(key, "{\"validSeconds\":60}")
                .then()
                .statusCode(422)
                .body("type", containsString("request.idempotency_mismatch"));
    }

    @Test
    void shouldForgetARequestThatFailed() {
        String key = UUID.randomUUID().toString();
        String refused = "{\"headId\":\"" + UUID.randomUUID() + "\",\"transport\":\"tcp\",\"traddr\":\"::1\"}";

        for (int i = 0; i < 2; i++) {
            Api.asAdministrator()
                    .header("Idempotency-Key", key)
                    .body(refused)
                    .post("/api/v1/listeners")
                    .then()
                    .statusCode(404);
        }
    }

    @Test
    void shouldRefuseAKeyThatIsNotPrintable() {
        Api.asAdministrator()
                .header("Idempotency-Key", "a b")
                .body("{}")
                .post(TOKENS)
                .then()
                .statusCode(422);
    }

    @Test
    void shouldDoOnceWhatArrivesManyTimesAtOnce() throws Exception {
        String key = UUID.randomUUID().toString();
        long before = tokens();
        Set<String> answers = new HashSet<>();
        try (ExecutorService senders = Executors.newFixedThreadPool(8)) {
            List<Future<String>> sent = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                sent.add(senders.submit(() -> post(key, "{}").asString()));
            }
            for (Future<String> answer : sent) {
                answers.add(answer.get());
            }
        }

        assertThat(answers).hasSize(1);
        assertThat(tokens()).isEqualTo(before + 1);
    }

    @Test
    void shouldKeepNoSecretReadable() {
        String key = UUID.randomUUID().toString();
        String token = post(key, "{}").path("token");

        byte[] kept = sql.first("select answer from idempotency_key where key = ?", row -> row.getBytes(1), key)
                .orElseThrow();

        assertThat(new String(kept, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain(token);
    }

    private long tokens() {
        return sql.first("select count(*) from enrolment_token", row -> row.getLong(1))
                .orElseThrow();
    }

    private static Response post(String key, String body) {
        return Api.asAdministrator().header("Idempotency-Key", key).body(body).post(TOKENS);
    }
}
