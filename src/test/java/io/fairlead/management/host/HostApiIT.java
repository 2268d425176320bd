package io.fairlead.management.host;

import static io.fairlead.platform.Api.asAdministrator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.Ids;
import io.fairlead.platform.PostgresTestResource;
import io.fairlead.platform.database.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts and their keys through the API. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class HostApiIT {

    private static final String UUID_PREFIX = "nqn.2014-08.org.nvmexpress:uuid:";

    @Inject
    HostService hosts;

    @Inject
    Sql sql;

    @Inject
    Ids ids;

    private static String freshNqn() {
        return "nqn.2026-12.io.fairlead.test:host-" + UUID.randomUUID();
    }

    private static ValidatableResponse create(String body) {
        return asAdministrator().body(body).post("/api/v1/hosts").then();
    }

    private static JsonPath created(String body) {
        return create(body).statusCode(201).extract().jsonPath();
    }

    private static String withAuthentication(String nqn, String authentication) {
        return "{\"nqn\":\"" + nqn + "\",\"authentication\":" + authentication + "}";
    }

    @Test
    void shouldTakeTheHostIdentifierFromAnNqnOfTheUuidForm() {
        UUID uuid = UUID.randomUUID();

        create("{\"nqn\":\"" + UUID_PREFIX + uuid + "\"}")
                .statusCode(201)
                .header("Location", containsString("/api/v1/hosts/"))
                .body("host.hostIdentifier", equalTo(uuid.toString()))
                .body("secrets", nullValue());
    }

    @Test
    void shouldRefuseAnotherHostIdentifierForAnNqnOfTheUuidForm() {
        create("{\"nqn\":\"" + UUID_PREFIX + UUID.randomUUID() + "\",\"hostIdentifier\":\"" + UUID.randomUUID() + "\"}")
                .statusCode(422)
                .body("errors.pointer", hasItem("/hostIdentifier"));
    }

    @Test
    void shouldNameBothHostsWhenAHostIdentifierIsTaken() {
        String first = freshNqn();
        String second = freshNqn();
        UUID shared = UUID.randomUUID();
        create("{\"nqn\":\"" + first + "\",\"hostIdentifier\":\"" + shared + "\"}")
                .statusCode(201);

        create("{\"nqn\":\"" + second + "\",\"hostIdentifier\":\"" + shared + "\"}")
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:host.hostid_taken"))
                .body("hostNqns", hasItems(first, second))
                .body("detail", containsString(first))
                .body("detail", containsString(second))
                .body("errors.pointer", hasItem("/hostIdentifier"));
    }

    @Test
    void shouldRefuseAnNqnTwice() {
        String nqn = freshNqn();
        create("{\"nqn\":\"" + nqn + "\"}").statusCode(201);

        create("{\"nqn\":\"" + nqn + "\"}")
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:host.nqn_taken"))
                .body("errors.pointer", hasItem("/nqn"));
    }

    @Test
    void shouldShowGeneratedSecretsOnceAndNeverAgain() {
        JsonPath answer = created(withAuthentication(
                freshNqn(), "{\"hash\":\"sha384\",\"dhGroup\":\"ffdhe3072\",\"bidirectional\":true}"));
        String secret = answer.getString("secrets.secret");
        String controllerSecret = answer.getString("secrets.controllerSecret");
        String id = answer.getString("host.id");

        assertThat(secret).startsWith("DHHC-1:02:").endsWith(":");
        assertThat(controllerSecret).startsWith("DHHC-1:02:").isNotEqualTo(secret);
        String shown = asAdministrator().get("/api/v1/hosts/" + id).asString()
                + asAdministrator().get("/api/v1/hosts?limit=500").asString();
        assertThat(shown).contains(id).doesNotContain("DHHC-1").doesNotContain(middle(secret));
    }

    @Test
    void shouldStoreNoSecretInPlainText() {
        String key = UUID.randomUUID().toString();
        String answer = asAdministrator()
                .header("Idempotency-Key", key)
                .body(withAuthentication(freshNqn(), "{\"bidirectional\":true}"))
                .post("/api/v1/hosts")
                .asString();
        JsonPath json = JsonPath.from(answer);

        for (String secret : List.of(json.getString("secrets.secret"), json.getString("secrets.controllerSecret"))) {
            byte[] bytes = secret.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            for (String table : tables()) {
                boolean found = sql.first(
                                "select 1 from " + table
                                        + " t where position(? in t::text) > 0 or position(? in t::text) > 0",
                                row -> true,
                                middle(secret),
                                // How a bytea column prints what it holds.
                                java.util.HexFormat.of().formatHex(bytes))
                        .isPresent();
                assertThat(found).as("secret in table " + table).isFalse();
            }
        }
        assertThat(sql.first("select answer from idempotency_key where key = ?", row -> row.getBytes(1), key))
                .isPresent();
    }

    @Test
    void shouldAnswerARepeatedPostWithTheSameSecret() {
        String key = UUID.randomUUID().toString();
        String body = withAuthentication(freshNqn(), "{}");

        String first = asAdministrator()
                .header("Idempotency-Key", key)
                .body(body)
                .post("/api/v1/hosts")
                .asString();
        String second = asAdministrator()
                .header("Idempotency-Key", key)
                .body(body)
                .post("/api/v1/hosts")
                .asString();

        assertThat(JsonPath.from(second).getString("secrets.secret"))
                .isNotBlank()
                .isEqualTo(JsonPath.from(first).getString("secrets.secret"));
    }

    private List<String> tables() {
        return sql.list(
                "select table_name from information_schema.tables where table_schema = 'public'",
                row -> "\"" + row.getString(1) + "\"");
    }

    private static String middle(String secret) {
        return secret.split(":")[2];
    }

    @Test
    void shouldTakeABroughtKey() {
        String brought = "DHHC-1:00:" + base64(new byte[32], 0) + ":";

        JsonPath answer = created(withAuthentication(freshNqn(), "{\"secret\":\"" + brought + "\"}"));

        assertThat(answer.getString("secrets.secret")).isEqualTo(brought);
        assertThat(answer.getString("host.keys[0].origin")).isEqualTo("BROUGHT");
    }

    /** CASES.md, item 15: each damage has a problem type of its own, and none repeats the key. */
    @Test
    void shouldNameTheCheckThatABroughtKeyFails() {
        String good = base64(new byte[32], 0);
        Map<String, String> damaged = Map.of(
                "DHHC-2:01:" + good + ":", "key.prefix",
                "DHHC-1:01:" + good, "key.format",
                "DHHC-1:04:" + good + ":", "key.hash_id",
                "DHHC-1:01:" + base64(new byte[31], 0) + ":", "key.length",
                "DHHC-1:01:" + base64(new byte[32], 1) + ":", "key.crc",
                "DHHC-1:03:" + good + ":", "key.length_hash_mismatch",
                "DHHC-1:01:" + "!" + good.substring(1) + ":", "key.base64");
        Set<String> types = new HashSet<>();
        damaged.forEach((key, code) -> {
            String answer = create(withAuthentication(freshNqn(), "{\"secret\":\"" + key + "\"}"))
                    .statusCode(422)
                    .body("type", equalTo("urn:fairlead:problem:" + code))
                    .body("errors.pointer", hasItem("/authentication/secret"))
                    .extract()
                    .asString();
            assertThat(answer).doesNotContain(key).doesNotContain(good.substring(4));
            types.add(JsonPath.from(answer).getString("type"));
        });
        assertThat(types).hasSize(damaged.size());
    }

    /** Secret and CRC-32, the latter with some bits turned over. */
    private static String base64(byte[] secret, int damage) {
        CRC32 crc = new CRC32();
        crc.update(secret);
        byte[] all = java.util.Arrays.copyOf(secret, secret.length + 4);
        java.nio.ByteBuffer.wrap(all)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .putInt(secret.length, (int) crc.getValue() ^ damage);
        return Base64.getEncoder().encodeToString(all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|422|/nqn",
                "{\"nqn\":null}|422|/nqn",
                "{\"nqn\":\"\"}|422|/nqn",
                "{\"nqn\":\"iqn.2026-12.io.fairlead:a\"}|422|/nqn",
                "{\"nqn\":\"nqn.2026-13.io.fairlead:a\"}|422|/nqn",
                "{\"nqn\":\"nqn.2014-08.org.nvmexpress.discovery\"}|422|/nqn",
                "{\"nqn\":7}|400|/nqn",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"colour\":1}|400|/colour",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"hostIdentifier\":\"x\"}|400|/hostIdentifier",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"name\":\" \"}|422|/name",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"authentication\":{\"hash\":\"md5\"}}|400|/authentication/hash",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"authentication\":{\"dhGroup\":\"ffdhe1\"}}|400|/authentication/dhGroup",
                "{\"nqn\":\"nqn.2026-12.io.fairlead:a\",\"authentication\":{\"bidirectional\":\"yes\"}}|400|/authentication/bidirectional"
            })
    void shouldNameTheFieldAndChangeNothing(String body, int status, String pointer) {
        long before = countHosts();

        create(body).statusCode(status).body("errors.pointer", hasItem(pointer)).body("detail", not(nullValue()));

        assertThat(countHosts()).isEqualTo(before);
    }

    private long countHosts() {
        return sql.first("select count(*) from host", row -> row.getLong(1)).orElseThrow();
    }

    @Test
    void shouldSayWhichHostIsUnknown() {
        asAdministrator()
                .get("/api/v1/hosts/" + UUID.randomUUID())
                .then()
                .statusCode(404)
                .body("type", equalTo("urn:fairlead:problem:host.not_found"));
    }

    @Test
    void shouldDeleteOnlyWhatTheAskerHasSeen() {
        String id = created("{\"nqn\":\"" + freshNqn() + "\"}").getString("host.id");
        String tag = asAdministrator().get("/api/v1/hosts/" + id).header("ETag");

        asAdministrator().delete("/api/v1/hosts/" + id).then().statusCode(428);
        asAdministrator()
                .header("If-Match", "\"77\"")
                .delete("/api/v1/hosts/" + id)
                .then()
                .statusCode(412);
        asAdministrator()
                .header("If-Match", tag)
                .delete("/api/v1/hosts/" + id)
                .then()
                .statusCode(204);
        asAdministrator().get("/api/v1/hosts/" + id).then().statusCode(404);
    }

    @Test
    void shouldChangeNameAndPolicyAndKeepTheKeys() {
        JsonPath answer = created(withAuthentication(freshNqn(), "{}"));
        HostId id = HostId.fromString(answer.getString("host.id"));
        String address = "/api/v1/hosts/" + id;

        asAdministrator().body("{\"name\":\"n\"}").patch(address).then().statusCode(428);
        asAdministrator()
                .header("If-Match", "*")
                .body("{\"name\":\"renamed\",\"authentication\":{\"hash\":\"sha512\"}}")
                .patch(address)
                .then()
                .statusCode(200)
                .body("host.name", equalTo("renamed"))
                .body("host.authentication.hash", equalTo("sha512"))
                .body("host.authentication.dhGroup", equalTo("ffdhe2048"));

        assertThat(hosts.desired(List.of(id)))
                .singleElement()
                .satisfies(host -> assertThat(
                                host.authentication().orElseThrow().hostSecret().reveal())
                        .isEqualTo(answer.getString("secrets.secret")));
        asAdministrator()
                .header("If-Match", "*")
                .body("{\"nqn\":\"x\"}")
                .patch(address)
                .then()
                .statusCode(400);
    }

    @Test
    void shouldReplaceKeysAtOnce() {
        JsonPath answer = created(withAuthentication(freshNqn(), "{}"));
        HostId id = HostId.fromString(answer.getString("host.id"));

        String fresh = asAdministrator()
                .body("{}")
                .post("/api/v1/hosts/" + id + "/keys")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath()
                .getString("secrets.secret");

        assertThat(fresh).isNotEqualTo(answer.getString("secrets.secret"));
        assertThat(hosts.desired(List.of(id)))
                .singleElement()
                .satisfies(host -> assertThat(
                                host.authentication().orElseThrow().hostSecret().reveal())
                        .isEqualTo(fresh));
    }

    @Test
    void shouldListRefusalsOfAHostNewestFirstAndEachOnce() {
        HeadId head = head();
        String nqn = freshNqn();
        String id = created("{\"nqn\":\"" + nqn + "\"}").getString("host.id");
        Instant start = Instant.parse("2026-12-01T00:00:00Z");
        List<AuthenticationFailureReport> reports = List.of(
                refusal(nqn, start),
                refusal(nqn, start.plusSeconds(2)),
                refusal(nqn, start.plusSeconds(1)),
                refusal(nqn + "x", start.plusSeconds(3)));
        hosts.record(head, reports);
        hosts.record(head, reports);

        String address = "/api/v1/hosts/" + id + "/authentication-failures";
        JsonPath page = asAdministrator().get(address + "?limit=2").jsonPath();
        assertThat(page.getList("items.id"))
                .containsExactly(
                        reports.get(1).id().toString(), reports.get(2).id().toString());
        JsonPath next = asAdministrator()
                .get(address + "?limit=2&pageToken=" + page.getString("nextPageToken"))
                .jsonPath();
        assertThat(next.getList("items.id")).containsExactly(reports.get(0).id().toString());
        asAdministrator()
                .get("/api/v1/authentication-failures")
                .then()
                .body("items.findAll { it.hostNqn == '" + nqn + "x' }", hasSize(1));
    }

    private static AuthenticationFailureReport refusal(String hostNqn, Instant at) {
        return new AuthenticationFailureReport(
                UUID.randomUUID(),
                at,
                hostNqn,
                "nqn.2026-12.io.fairlead:s",
                "192.0.2.7",
                AuthenticationFailureReport.Check.KEY_MISMATCH,
                "The host's response does not match its key.");
    }

    private HeadId head() {
        UUID id = ids.next();
        int first = 60_000 + Math.floorMod(id.hashCode(), 5_000);
        sql.update(
                "insert into head (id, name, cntlid_first, cntlid_last, credential_hash, version, created_at, updated_at)"
                        + " values (?, ?, ?, ?, ?, 0, now(), now())",
                id,
                "head-" + id,
                first,
                first,
                id.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return new HeadId(id);
    }

    @Test
    void shouldRefuseEveryOperationWithoutAToken() {
        String id = UUID.randomUUID().toString();
        for (String path : List.of(
                "/api/v1/hosts",
                "/api/v1/hosts/" + id,
                "/api/v1/hosts/" + id + "/authentication-failures",
                "/api/v1/authentication-failures")) {
            RestAssured.given().get(path).then().statusCode(401);
        }
        var json = RestAssured.given().contentType("application/json").body("{}");
        json.post("/api/v1/hosts").then().statusCode(401);
        json.post("/api/v1/hosts/" + id + "/keys").then().statusCode(401);
        RestAssured.given()
                .header("If-Match", "*")
                .delete("/api/v1/hosts/" + id)
                .then()
                .statusCode(401);
    }

    @Test
    void shouldFailClosedWhenTheKeyDoesNotOpen() {
        HostId id =
                HostId.fromString(created(withAuthentication(freshNqn(), "{}")).getString("host.id"));
        // The sealed value of another host: sealed with the right master key, for another row.
        HostId other =
                HostId.fromString(created(withAuthentication(freshNqn(), "{}")).getString("host.id"));
        sql.update(
                "update host_key set sealed = (select sealed from host_key where host_id = ?) where host_id = ?",
                other.value(),
                id.value());

        asAdministrator().get("/api/v1/hosts/" + id).then().statusCode(200).body("state", equalTo("KEY_UNAVAILABLE"));
        assertThat(hosts.desired(List.of(id, other))).extracting("id").containsExactly(other);
    }
}
