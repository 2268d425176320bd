package io.fairlead.management.export;

import static io.fairlead.platform.Api.asAdministrator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.fairlead.contract.DriveReport;
import io.fairlead.management.drive.DriveService;
import io.fairlead.platform.PostgresTestResource;
import io.fairlead.platform.database.Sql;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Subsystems and namespaces through the API. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class SubsystemApiIT {

    private static final long MIB = 1L << 20;
    private static final String SUBSYSTEMS = "/api/v1/subsystems";

    @Inject
    HeadFixture fixture;

    @Inject
    DriveService drives;

    @Inject
    Sql sql;

    private static ValidatableResponse create(String body) {
        return asAdministrator().body(body).post(SUBSYSTEMS).then();
    }

    private static String serial(String text) {
        return "{\"serial\":\"" + text + "\"}";
    }

    /** CASES.md, item 14. */
    @Test
    void shouldKeepSerialNumbersUniqueAndPrintable() {
        create(serial("1")).statusCode(201).body("serial", equalTo("1"));
        create(serial("1"))
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:subsystem.serial_taken"))
                .body("errors.pointer", hasItem("/serial"));
        for (String bad : List.of("123456789012345678901", "Ä", "1 ", " 1", "", "a\\tb")) {
            create(serial(bad))
                    .statusCode(422)
                    .body("type", equalTo("urn:fairlead:problem:subsystem.serial_invalid"))
                    .body("errors.pointer", hasItem("/serial"));
        }
        create(serial("12345678901234567890")).statusCode(201);
    }

    @Test
    void shouldGenerateWhatIsLeftOut() {
        JsonPath first = create("{}").statusCode(201).extract().jsonPath();
        JsonPath second = create("{}").statusCode(201).extract().jsonPath();

        assertThat(first.getString("nqn")).startsWith("nqn.2026-12.io.fairlead:");
        assertThat(first.getString("serial")).hasSizeBetween(1, 20).isNotEqualTo(second.getString("serial"));
        assertThat(first.getString("access")).isEqualTo("LISTED_HOSTS");
    }

    @Test
    void shouldRefuseAnNqnTwiceAndTextsThatAreNone() {
        String nqn = "nqn.2026-12.io.fairlead.test:" + UUID.randomUUID();
        create("{\"nqn\":\"" + nqn + "\"}").statusCode(201);
        create("{\"nqn\":\"" + nqn + "\"}")
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:subsystem.nqn_taken"));
        create("{\"nqn\":\"nqn.2026-12.a:" + "x".repeat(210) + "\"}")
                .statusCode(422)
                .body("type", equalTo("urn:fairlead:problem:nqn.invalid"))
                .body("errors.pointer", hasItem("/nqn"));
        create("{\"access\":\"EVERYBODY\"}").statusCode(400).body("errors.pointer", hasItem("/access"));
        create("{\"model\":\"Ä\"}").statusCode(422).body("errors.pointer", hasItem("/model"));
    }

    @Test
    void shouldNotReuseANamespaceIdentifierAtOnceAndNeverChangeAnIdentity() {
        var head = fixture.head(64 * MIB);
        String address = SUBSYSTEMS + "/" + create("{}").extract().path("id");
        JsonPath first = addNamespace(address, volume(head, "one"));
        JsonPath both = addNamespace(address, volume(head, "two"));
        assertThat(both.getList("subsystem.namespaces.nsid", Integer.class)).containsExactly(1, 2);
        assertThat(both.getString("subsystem.namespaces[0].uuid"))
                .isEqualTo(first.getString("subsystem.namespaces[0].uuid"));

        asAdministrator()
                .header("If-Match", "*")
                .delete(address + "/namespaces/" + both.getString("subsystem.namespaces[1].id"))
                .then()
                .statusCode(200);
        JsonPath third = addNamespace(address, volume(head, "three"));

        assertThat(third.getList("subsystem.namespaces.nsid", Integer.class)).containsExactly(1, 3);
        assertThat(third.getString("subsystem.namespaces[0].nguid"))
                .matches("[0-9a-f]{32}")
                .isEqualTo(first.getString("subsystem.namespaces[0].nguid"));
    }

    private static JsonPath addNamespace(String address, String backing) {
        return asAdministrator()
                .body(backing)
                .post(address + "/namespaces")
                .then()
                .statusCode(201)
                .extract()
                .jsonPath();
    }

    private static String volume(HeadFixture.HeadWithPool head, String name) {
        String id = asAdministrator()
                .body("{\"poolId\":\"%s\",\"name\":\"%s\",\"sizeBytes\":%d}".formatted(head.pool(), name, MIB))
                .post("/api/v1/volumes")
                .path("volume.id");
        return "{\"volumeId\":\"" + id + "\"}";
    }

    @Test
    void shouldExportADriveInUseOnlyWithConsentToLoseTheSignatureByItsName() {
        var head = fixture.head(64 * MIB);
        var signature = new DriveReport.InUseReason("signature", "It holds an ext4 file system.", Optional.of("ext4"));
        var mounted = new DriveReport.InUseReason("mounted", "It is mounted on /srv.", Optional.empty());
        QuarkusTransaction.requiringNew()
                .run(() -> drives.report(
                        head.head(), List.of(drive("eui.1", List.of(signature)), drive("eui.2", List.of(mounted)))));
        String address = SUBSYSTEMS + "/" + create("{}").extract().path("id") + "/namespaces";

        for (String consent : List.of("", ",\"agreedSignature\":\"xfs\"")) {
            asAdministrator()
                    .body("{\"driveId\":\"" + driveId(head, "eui.1") + "\"" + consent + "}")
                    .post(address)
                    .then()
                    .statusCode(409)
                    .body("type", equalTo("urn:fairlead:problem:drive.in_use"))
                    .body("reasons.code", hasItem("signature"));
        }
        asAdministrator()
                .body("{\"driveId\":\"" + driveId(head, "eui.2") + "\",\"agreedSignature\":\"ext4\"}")
                .post(address)
                .then()
                .statusCode(409)
                .body("reasons.code", hasItem("mounted"));
        asAdministrator()
                .body("{\"driveId\":\"" + driveId(head, "eui.1") + "\",\"agreedSignature\":\"ext4\"}")
                .post(address)
                .then()
                .statusCode(201)
                .body("subsystem.namespaces[0].sizeBytes", equalTo((int) (16 * MIB)));
    }

    private static DriveReport drive(String identity, List<DriveReport.InUseReason> inUse) {
        return new DriveReport(
                identity,
                "nvme",
                "nvme0n1",
                "Model",
                "S1",
                16 * MIB,
                512,
                DriveReport.Rotation.SOLID_STATE,
                inUse,
                Optional.empty(),
                Optional.empty());
    }

    private UUID driveId(HeadFixture.HeadWithPool head, String identity) {
        return sql.first(
                        "select id from drive where head_id = ? and identity = ?",
                        row -> row.getObject(1, UUID.class),
                        head.head().value(),
                        identity)
                .orElseThrow();
    }

    @Test
    void shouldTakeExactlyOneBacking() {
        String address = SUBSYSTEMS + "/" + create("{}").extract().path("id") + "/namespaces";

        asAdministrator().body("{}").post(address).then().statusCode(422);
        asAdministrator()
                .body("{\"volumeId\":\"" + UUID.randomUUID() + "\"}")
                .post(address)
                .then()
                .statusCode(404)
                .body("type", equalTo("urn:fairlead:problem:volume.not_found"))
                .body("errors.pointer", hasItem("/volumeId"));
    }

    @Test
    void shouldDeleteASubsystemThatNobodyServes() {
        String address = SUBSYSTEMS + "/" + create("{}").extract().path("id");

        asAdministrator().delete(address).then().statusCode(428);
        asAdministrator().header("If-Match", "*").delete(address).then().statusCode(204);
        asAdministrator().get(address).then().statusCode(404);
    }
}
