package io.fairlead.management.export;

import static io.fairlead.platform.Api.asAdministrator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.head.ListenerService;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.platform.PostgresTestResource;
import io.fairlead.platform.database.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exports through the API, on a real database, without a worker. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class ExportApiIT {

    private static final long MIB = 1L << 20;
    private static final String EXPORTS = "/api/v1/exports";

    @Inject
    HeadFixture fixture;

    @Inject
    DesiredExports desired;

    @Inject
    VolumeService volumes;

    @Inject
    HeadService heads;

    @Inject
    ListenerService listeners;

    @Inject
    Sql sql;

    private static String freshNqn() {
        return "nqn.2026-12.io.fairlead.test:host-" + UUID.randomUUID();
    }

    private static String body(HeadFixture.HeadWithPool head, String name, String hosts) {
        return """
                {"name":"%s","volume":{"poolId":"%s","name":"%s","sizeBytes":%d},"hosts":%s,
                 "listeners":[{"transport":"tcp","traddr":"127.0.0.1","trsvcid":4420}]}
                """.formatted(name, head.pool(), name, MIB, hosts);
    }

    private static String newHost(String nqn) {
        return "[{\"nqn\":\"" + nqn + "\",\"authentication\":{\"hash\":\"sha512\",\"bidirectional\":true}}]";
    }

    private static Response post(String body) {
        return asAdministrator().body(body).post(EXPORTS);
    }

    private static JsonPath accepted(String body) {
        return post(body).then().statusCode(202).extract().jsonPath();
    }

    @Test
    void shouldCarryTheWholeMainJobInOneRequest() {
        var head = fixture.head(64 * MIB);
        String nqn = freshNqn();

        Response answer = post(body(head, "main", newHost(nqn)));

        answer.then().statusCode(202).header("Location", containsString("/api/v1/jobs/" + answer.path("jobId")));
        asAdministrator()
                .get("/api/v1/jobs/" + answer.path("jobId"))
                .then()
                .statusCode(200)
                .body("steps.name", hasItem("path proven"))
                .body("steps", hasSize(6));
        assertThat(volumes.desired(head.head())).singleElement().satisfies(volume -> {
            assertThat(volume.sizeBytes()).isEqualTo(MIB);
            assertThat(volume.poolName()).isEqualTo("data");
        });
        DesiredExports.Part part = desired.of(head.head());
        assertThat(part.hosts()).singleElement().satisfies(host -> {
            assertThat(host.nqn()).isEqualTo(nqn);
            assertThat(host.authentication().orElseThrow().hostSecret().reveal())
                    .isEqualTo(answer.path("secrets[0].secret"));
            assertThat(host.authentication()
                            .orElseThrow()
                            .controllerSecret()
                            .orElseThrow()
                            .reveal())
                    .isEqualTo(answer.path("secrets[0].controllerSecret"));
        });
        assertThat(part.subsystems()).singleElement().satisfies(subsystem -> {
            assertThat(subsystem.nqn()).isEqualTo(answer.path("export.subsystemNqn"));
            assertThat(subsystem.access()).isEqualTo(DesiredSubsystem.Access.LISTED_HOSTS);
            assertThat(subsystem.allowedHosts())
                    .containsExactly(part.hosts().getFirst().id());
            assertThat(subsystem.namespaces()).singleElement().satisfies(namespace -> {
                assertThat(namespace.nsid()).isEqualTo(1);
                assertThat(namespace.sizeBytes()).isEqualTo(MIB);
            });
        });
        assertThat(part.paths()).hasSize(1);
        asAdministrator()
                .get(EXPORTS + "/" + answer.path("export.id"))
                .then()
                .statusCode(200)
                .header("ETag", equalTo("\"0\""))
                .body("state", equalTo("PENDING"))
                .body("paths", hasSize(1))
                .body("paths[0].state", equalTo("PENDING"))
                .body("hosts[0].nqn", equalTo(nqn));
    }

    /** CASES.md, item 5: parallel creates lose nothing of each other. */
    @Test
    void shouldTakeFiftyExportsFromEightThreads() throws Exception {
        var head = fixture.head(1024 * MIB);
        List<Callable<Integer>> requests = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String body = body(head, "parallel-" + i, newHost(freshNqn()));
            requests.add(() -> post(body).statusCode());
        }

        assertThat(inParallel(requests)).hasSize(50).containsOnly(202);

        DesiredExports.Part part = desired.of(head.head());
        assertThat(part.subsystems()).hasSize(50);
        assertThat(part.subsystems()).extracting(DesiredSubsystem::nqn).doesNotHaveDuplicates();
        assertThat(part.subsystems()).extracting(DesiredSubsystem::serial).doesNotHaveDuplicates();
        assertThat(part.subsystems()).allSatisfy(subsystem -> {
            assertThat(subsystem.namespaces())
                    .singleElement()
                    .extracting("nsid")
                    .isEqualTo(1L);
            assertThat(subsystem.listeners()).hasSize(1);
            assertThat(subsystem.allowedHosts()).hasSize(1);
        });
        assertThat(part.hosts()).hasSize(50);
        assertThat(part.paths()).hasSize(50).doesNotHaveDuplicates();
        assertThat(volumes.desired(head.head())).hasSize(50);
        assertThat(listeners.ofHead(head.head())).hasSize(1);
        assertThat(heads.generation(head.head()).value()).isGreaterThanOrEqualTo(50);
    }

    private static <T> List<T> inParallel(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }

    @Test
    void shouldNeverPromiseMoreThanThePoolHas() throws Exception {
        var head = fixture.head(5 * MIB);
        List<Callable<Integer>> requests = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String body = "{\"poolId\":\"%s\",\"name\":\"race-%d\",\"sizeBytes\":%d}".formatted(head.pool(), i, MIB);
            requests.add(
                    () -> asAdministrator().body(body).post("/api/v1/volumes").statusCode());
        }

        List<Integer> answers = inParallel(requests);

        assertThat(answers).containsOnly(202, 409);
        assertThat(answers.stream().filter(status -> status == 202)).hasSize(5);
        asAdministrator()
                .body("{\"poolId\":\"%s\",\"name\":\"one-more\",\"sizeBytes\":%d}".formatted(head.pool(), MIB))
                .post("/api/v1/volumes")
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:pool.insufficient_capacity"))
                .body("availableBytes", equalTo(0))
                .body("askedBytes", equalTo((int) MIB))
                .body("errors.pointer", hasItem("/sizeBytes"));
    }

    @Test
    void shouldKeepOpenAccessAndListedHostsApartInARace() throws Exception {
        var head = fixture.head(64 * MIB);
        for (int round = 0; round < 10; round++) {
            JsonPath export = accepted(body(head, "open-" + round, "[]"));
            String exportId = export.getString("export.id");
            String subsystem = "/api/v1/subsystems/" + export.getString("export.subsystemId");
            String host = "{\"nqn\":\"" + freshNqn() + "\",\"authentication\":{}}";

            List<Integer> answers = inParallel(List.<Callable<Integer>>of(
                    () -> asAdministrator()
                            .header("If-Match", "*")
                            .body("{\"access\":\"ANY_HOST\"}")
                            .patch(subsystem)
                            .statusCode(),
                    () -> asAdministrator()
                            .body(host)
                            .post(EXPORTS + "/" + exportId + "/hosts")
                            .statusCode()));

            assertThat(answers).as("round " + round).containsExactlyInAnyOrder(202, 409);
            String access = asAdministrator().get(subsystem).path("access");
            int hosts = asAdministrator()
                    .get(EXPORTS + "/" + exportId)
                    .jsonPath()
                    .getList("hosts")
                    .size();
            assertThat(hosts).isEqualTo(access.equals("ANY_HOST") ? 0 : 1);
        }
    }

    @Test
    void shouldRefuseHostsOnAnOpenSubsystemAndOpeningOneWithHosts() {
        var head = fixture.head(64 * MIB);
        String open = body(head, "both", newHost(freshNqn()))
                .replace("\"hosts\"", "\"subsystem\":{\"access\":\"ANY_HOST\"},\"hosts\"");
        post(open).then().statusCode(409).body("type", equalTo("urn:fairlead:problem:subsystem.open_with_hosts"));
        assertThat(volumes.desired(head.head()))
                .as("nothing is left of the refused request")
                .isEmpty();

        JsonPath closed = accepted(body(head, "closed", newHost(freshNqn())));
        asAdministrator()
                .header("If-Match", "*")
                .body("{\"access\":\"ANY_HOST\"}")
                .patch("/api/v1/subsystems/" + closed.getString("export.subsystemId"))
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:subsystem.open_with_hosts"))
                .body("errors.pointer", hasItem("/access"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|422|/listeners",
                "{\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/volume",
                "{\"volume\":{\"name\":\"v\",\"sizeBytes\":1},\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/volume/sizeBytes",
                "{\"volume\":{\"name\":\"v\",\"sizeBytes\":1048577},\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/volume/sizeBytes",
                "{\"volume\":{\"name\":\"v\",\"sizeBytes\":\"1\"},\"listeners\":[]}|400|/volume/sizeBytes",
                "{\"volume\":{\"name\":\"v\",\"sizeBytes\":1048576,\"lbaBytes\":520},\"listeners\":[{\"traddr\":\"::1\"}]}|422|/volume/lbaBytes",
                "{\"volume\":{\"name\":\"v\",\"sizeBytes\":1048576,\"colour\":1},\"listeners\":[]}|400|/volume/colour",
                "{\"volumeId\":\"7\",\"listeners\":[]}|400|/volumeId",
                "{\"hosts\":[{\"nqn\":\"x\"}],\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/hosts/0/nqn",
                "{\"hosts\":[{}],\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/hosts/0/nqn",
                "{\"hosts\":[null],\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/hosts/0",
                "{\"hosts\":[{\"nqn\":\"nqn.2026-12.a\",\"authentication\":{\"secret\":\"DHHC-1:00:x:\"}}],\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/hosts/0/authentication/secret",
                "{\"subsystem\":{\"serial\":\"123456789012345678901\"},\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/subsystem/serial",
                "{\"listeners\":[{}]}|422|/listeners/0/traddr",
                "{\"listeners\":[{\"traddr\":\"127.0.0.1\",\"trsvcid\":65536}]}|422|/listeners/0/trsvcid",
                "{\"listeners\":[{\"traddr\":\"127.0.0.1\",\"transport\":\"udp\"}]}|400|/listeners/0/transport",
                "{\"name\":\"\",\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}|422|/name"
            })
    void shouldNameTheFieldAndChangeNothing(String body, int status, String pointer) {
        long before = rows();

        post(body).then().statusCode(status).body("errors.pointer", hasItem(pointer));

        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void shouldUndoAllOfARequestThatFailsLate() {
        var head = fixture.head(64 * MIB);
        long before = rows();
        String good = body(head, "late", newHost(freshNqn()));

        post(good.replace("127.0.0.1", "localhost"))
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:fairlead:problem:listener.address_invalid"))
                .body("errors.pointer", hasItem("/listeners/0/traddr"));
        post(good.replace("\"listeners\"", "\"subsystemId\":\"" + UUID.randomUUID() + "\",\"listeners\""))
                .then()
                .statusCode(404);

        assertThat(rows()).isEqualTo(before);
        assertThat(heads.generation(head.head()).value()).isZero();
    }

    private long rows() {
        return sql.first(
                        "select (select count(*) from export) + (select count(*) from volume) + (select count(*) from host)"
                                + " + (select count(*) from subsystem) + (select count(*) from job) + (select count(*) from listener)",
                        row -> row.getLong(1))
                .orElseThrow();
    }

    @Test
    void shouldServeFromWhereTheDataIsOnly() {
        var here = fixture.head(64 * MIB);
        var there = fixture.head(64 * MIB);

        post(body(here, "elsewhere", "[]")
                        .replace("{\"transport\"", "{\"headId\":\"" + there.head() + "\",\"transport\""))
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:fairlead:problem:export.head_mismatch"))
                .body("errors.pointer", hasItem("/listeners/0/headId"));
    }

    @Test
    void shouldAddAndRemoveHostsAndThenStopServing() {
        var head = fixture.head(64 * MIB);
        JsonPath created = accepted(body(head, "life", newHost(freshNqn())));
        String address = EXPORTS + "/" + created.getString("export.id");
        String first = created.getString("secrets[0].hostId");

        JsonPath added = asAdministrator()
                .body("{\"nqn\":\"" + freshNqn() + "\"}")
                .post(address + "/hosts")
                .then()
                .statusCode(202)
                .body("export.hosts", hasSize(2))
                .body("export.paths", hasSize(2))
                .extract()
                .jsonPath();
        asAdministrator()
                .header("If-Match", "*")
                .delete("/api/v1/hosts/" + first)
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:host.in_use"));
        asAdministrator().delete(address + "/hosts/" + first).then().statusCode(428);
        asAdministrator()
                .header("If-Match", "\"0\"")
                .delete(address + "/hosts/" + first)
                .then()
                .statusCode(412);
        String removal = asAdministrator()
                .header("If-Match", "\"" + added.getLong("export.version") + "\"")
                .delete(address + "/hosts/" + first)
                .then()
                .statusCode(202)
                .body("export.hosts", hasSize(1))
                .extract()
                .path("jobId");
        asAdministrator().get("/api/v1/jobs/" + removal).then().body("steps.name", hasItem("host gone"));
        assertThat(desired.of(head.head()).paths()).hasSize(1);

        asAdministrator().header("If-Match", "*").delete(address).then().statusCode(202);

        assertThat(desired.of(head.head()).subsystems()).isEmpty();
        assertThat(volumes.desired(head.head())).as("the volume stays").hasSize(1);
        asAdministrator().get(address).then().statusCode(404);
    }

    @Test
    void shouldRefuseToExportASubsystemTwice() {
        var head = fixture.head(64 * MIB);
        JsonPath created = accepted(body(head, "twice", "[]"));

        post("{\"subsystemId\":\"" + created.getString("export.subsystemId")
                        + "\",\"listeners\":[{\"traddr\":\"127.0.0.1\"}]}")
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:export.duplicate"));
    }

    @Test
    void shouldTellTheHeadsWhenKeysAreReplaced() {
        var head = fixture.head(64 * MIB);
        JsonPath created = accepted(body(head, "keys", newHost(freshNqn())));
        long before = heads.generation(head.head()).value();

        Response answer =
                asAdministrator().body("{}").post("/api/v1/hosts/" + created.getString("secrets[0].hostId") + "/keys");

        answer.then().statusCode(202);
        assertThat(heads.generation(head.head()).value()).isEqualTo(before + 1);
        assertThat(desired.of(head.head())
                        .hosts()
                        .getFirst()
                        .authentication()
                        .orElseThrow()
                        .hostSecret()
                        .reveal())
                .isEqualTo(answer.path("secrets.secret"));
    }

    /** CASES.md, item 10. */
    @Test
    void shouldWriteAConnectBundleWithThePairThatBelongsTogether() {
        var head = fixture.head(64 * MIB);
        UUID uuid = UUID.randomUUID();
        JsonPath created = accepted(body(head, "bundle", newHost("nqn.2014-08.org.nvmexpress:uuid:" + uuid)));
        String address = "/api/v1/hosts/" + created.getString("secrets[0].hostId") + "/connect-bundle";

        String first = asAdministrator().get(address).asString();
        String second = asAdministrator().get(address).asString();

        assertThat(second).isEqualTo(first);
        JsonPath bundle = JsonPath.from(first);
        assertThat(bundle.getString("hostIdentifier")).isEqualTo(uuid.toString());
        assertThat(bundle.getString("connections[0].command"))
                .contains("--hostid=" + uuid, "--hostnqn=nqn.2014-08.org.nvmexpress:uuid:" + uuid)
                .contains("--traddr=127.0.0.1 --trsvcid=4420")
                .contains("--dhchap-secret=\"$FAIRLEAD_HOST_SECRET\"", "--dhchap-ctrl-secret=", "--ctrl-loss-tmo=");
        assertThat(bundle.getString("discoveryConf")).contains("--hostid=" + uuid);
        assertThat(bundle.getString("configJson")).contains(uuid.toString(), "dhchap_ctrl_key");
        assertThat(bundle.getString("undo")).contains("nvme disconnect");
        assertThat(bundle.getList("knownErrors.message", String.class)).anyMatch(text -> text.contains("hostid"));
        assertThat(first).doesNotContain("DHHC-1");
    }

    @Test
    void shouldHaveTheHostLoadWhatItsTransportsNeed() {
        var head = fixture.head(64 * MIB);
        String both = body(head, "transports", newHost(freshNqn()))
                .replace(
                        "\"listeners\":[",
                        "\"listeners\":[{\"transport\":\"rdma\",\"traddr\":\"127.0.0.1\",\"trsvcid\":4421},");
        String host = accepted(both).getString("secrets[0].hostId");

        asAdministrator()
                .get("/api/v1/hosts/" + host + "/connect-bundle")
                .then()
                .statusCode(200)
                .body("prepare", hasItem("modprobe nvme-rdma"))
                .body("prepare", hasItem("modprobe nvme-tcp"))
                .body("connections.transport", hasItem("rdma"));
    }

    @Test
    void shouldQuoteForTheShellWhateverAnNqnHolds() {
        assertThat(ConnectBundles.quoted("nqn.2026-12.a:b")).isEqualTo("nqn.2026-12.a:b");
        assertThat(ConnectBundles.quoted("nqn.2026-12.a:$(reboot)'x")).isEqualTo("'nqn.2026-12.a:$(reboot)'\\''x'");
    }

    /** What a secret must not reach: log, audit, jobs, problem documents, GET answers, any column of any table. */
    @Test
    void shouldKeepSecretsOutOfEverythingThatIsKeptOrPrinted() {
        var head = fixture.head(64 * MIB);
        StringBuilder log = new StringBuilder();
        Handler capture = capture(log);
        Logger.getLogger("").addHandler(capture);
        JsonPath created;
        String brought = "DHHC-1:00:" + "QUJD".repeat(12) + ":";
        try {
            created = asAdministrator()
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .body(body(head, "secret", newHost(freshNqn())))
                    .post(EXPORTS)
                    .then()
                    .statusCode(202)
                    .extract()
                    .jsonPath();
            String problem = post(body(
                            head,
                            "brought",
                            newHost(freshNqn()).replace("\"hash\"", "\"secret\":\"" + brought + "\",\"hash\"")))
                    .then()
                    .statusCode(422)
                    .extract()
                    .asString();
            assertThat(problem).doesNotContain(brought);
        } finally {
            Logger.getLogger("").removeHandler(capture);
        }
        String id = created.getString("export.id");
        String shown = asAdministrator().get(EXPORTS + "/" + id).asString()
                + asAdministrator()
                        .get("/api/v1/jobs/" + created.getString("jobId"))
                        .asString()
                + asAdministrator()
                        .get("/api/v1/hosts/" + created.getString("secrets[0].hostId"))
                        .asString();
        for (String secret :
                List.of(created.getString("secrets[0].secret"), created.getString("secrets[0].controllerSecret"))) {
            assertThat(secret).startsWith("DHHC-1:03:");
            String middle = secret.split(":")[2];
            assertThat(log).doesNotContain(middle);
            assertThat(shown).doesNotContain(middle);
            assertThat(tablesWith(middle)).isEmpty();
            assertThat(tablesWith(HexFormat.of().formatHex(secret.getBytes(StandardCharsets.UTF_8))))
                    .isEmpty();
        }
        assertThat(log).doesNotContain(brought);
        // The search finds what is there.
        assertThat(tablesWith(id)).contains("export", "audit_entry");
    }

    private static Handler capture(StringBuilder into) {
        return new Handler() {
            @Override
            public synchronized void publish(LogRecord line) {
                into.append(line.getMessage()).append(' ');
                if (line.getParameters() != null) {
                    for (Object parameter : line.getParameters()) {
                        into.append(parameter).append(' ');
                    }
                }
                for (Throwable cause = line.getThrown(); cause != null; cause = cause.getCause()) {
                    into.append(cause).append(' ');
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    private List<String> tablesWith(String text) {
        return sql
                .list(
                        "select table_name from information_schema.tables where table_schema = 'public'",
                        row -> row.getString(1))
                .stream()
                .filter(table -> sql.first(
                                "select 1 from \"" + table + "\" t where position(? in t::text) > 0", row -> true, text)
                        .isPresent())
                .toList();
    }

    @Test
    void shouldRefuseEveryOperationWithoutAToken() {
        String id = UUID.randomUUID().toString();
        for (String path : List.of(
                EXPORTS,
                EXPORTS + "/" + id,
                "/api/v1/hosts/" + id + "/connect-bundle",
                "/api/v1/pools",
                "/api/v1/pools/" + id,
                "/api/v1/volumes",
                "/api/v1/volumes/" + id,
                "/api/v1/subsystems",
                "/api/v1/subsystems/" + id)) {
            RestAssured.given().get(path).then().statusCode(401).body("type", startsWith("urn:fairlead:problem:"));
        }
        for (String path : List.of(
                EXPORTS,
                EXPORTS + "/" + id + "/hosts",
                "/api/v1/volumes",
                "/api/v1/subsystems",
                "/api/v1/subsystems/" + id + "/namespaces")) {
            RestAssured.given()
                    .contentType("application/json")
                    .body("{}")
                    .post(path)
                    .then()
                    .statusCode(401);
        }
        for (String path : List.of("/api/v1/volumes/" + id, "/api/v1/subsystems/" + id)) {
            RestAssured.given()
                    .contentType("application/json")
                    .body("{}")
                    .patch(path)
                    .then()
                    .statusCode(401);
        }
        for (String path : List.of(
                EXPORTS + "/" + id,
                EXPORTS + "/" + id + "/hosts/" + id,
                "/api/v1/volumes/" + id,
                "/api/v1/subsystems/" + id,
                "/api/v1/subsystems/" + id + "/namespaces/" + id)) {
            RestAssured.given().header("If-Match", "*").delete(path).then().statusCode(401);
        }
    }

    @Test
    void shouldListInPages() {
        var head = fixture.head(64 * MIB);
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            made.add(accepted(body(head, "page-" + i, "[]")).getString("export.id"));
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            JsonPath page = asAdministrator().get(EXPORTS + "?limit=2" + token).jsonPath();
            seen.addAll(page.getList("items.id", String.class));
            token = page.getString("nextPageToken") == null ? "" : "&pageToken=" + page.getString("nextPageToken");
        } while (!token.isEmpty());

        assertThat(seen).containsAll(made).doesNotHaveDuplicates();
    }
}
