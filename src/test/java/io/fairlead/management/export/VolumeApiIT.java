package io.fairlead.management.export;

import static io.fairlead.platform.Api.asAdministrator;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.core.VolumeId;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.platform.PostgresTestResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes through the API. */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class VolumeApiIT {

    private static final long MIB = 1L << 20;
    private static final String VOLUMES = "/api/v1/volumes";

    @Inject
    HeadFixture fixture;

    @Inject
    VolumeService volumes;

    private static String body(HeadFixture.HeadWithPool head, String name, long sizeBytes) {
        return "{\"poolId\":\"%s\",\"name\":\"%s\",\"sizeBytes\":%d}".formatted(head.pool(), name, sizeBytes);
    }

    private static JsonPath created(HeadFixture.HeadWithPool head, String name) {
        return asAdministrator()
                .body(body(head, name, 2 * MIB))
                .post(VOLUMES)
                .then()
                .statusCode(202)
                .extract()
                .jsonPath();
    }

    @Test
    void shouldOnlyGrow() {
        var head = fixture.head(64 * MIB);
        String address = VOLUMES + "/" + created(head, "grows").getString("volume.id");

        asAdministrator()
                .header("If-Match", "\"0\"")
                .body("{\"sizeBytes\":" + MIB + "}")
                .patch(address)
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:fairlead:problem:volume.shrink"))
                .body("currentSize", equalTo((int) (2 * MIB)))
                .body("askedSize", equalTo((int) MIB))
                .body("errors.pointer", hasItem("/sizeBytes"));
        asAdministrator()
                .header("If-Match", "\"0\"")
                .body("{\"sizeBytes\":" + 4 * MIB + "}")
                .patch(address)
                .then()
                .statusCode(202)
                .body("volume.sizeBytes", equalTo((int) (4 * MIB)));
        asAdministrator()
                .header("If-Match", "\"0\"")
                .body("{\"sizeBytes\":" + 8 * MIB + "}")
                .patch(address)
                .then()
                .statusCode(412);
        asAdministrator()
                .body("{\"sizeBytes\":" + 8 * MIB + "}")
                .patch(address)
                .then()
                .statusCode(428);
        asAdministrator()
                .header("If-Match", "*")
                .body("{\"sizeBytes\":" + 128 * MIB + "}")
                .patch(address)
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:pool.insufficient_capacity"));
    }

    @Test
    void shouldKeepATombstoneUntilTheHeadSaysThatTheVolumeIsGone() {
        var head = fixture.head(64 * MIB);
        VolumeId id = VolumeId.fromString(created(head, "dies").getString("volume.id"));

        asAdministrator()
                .header("If-Match", "*")
                .delete(VOLUMES + "/" + id)
                .then()
                .statusCode(202);

        asAdministrator().get(VOLUMES + "/" + id).then().statusCode(404);
        assertThat(volumes.desired(head.head()))
                .singleElement()
                .extracting(DesiredVolume::presence)
                .isEqualTo(DesiredVolume.Presence.ABSENT);
        // The name is free again, the space is not yet the head's to give.
        created(head, "dies");
        volumes.report(
                head.head(),
                List.of(new ObjectReport(
                        ObjectKind.VOLUME, id.value(), ObjectState.ABSENT, Optional.empty(), Map.of())));
        assertThat(volumes.desired(head.head()))
                .singleElement()
                .extracting(DesiredVolume::presence)
                .isEqualTo(DesiredVolume.Presence.PRESENT);
    }

    @Test
    void shouldNotDestroyAVolumeThatIsANamespace() {
        var head = fixture.head(64 * MIB);
        String volume = created(head, "used").getString("volume.id");
        String subsystem =
                asAdministrator().body("{}").post("/api/v1/subsystems").path("id");
        asAdministrator()
                .body("{\"volumeId\":\"" + volume + "\"}")
                .post("/api/v1/subsystems/" + subsystem + "/namespaces")
                .then()
                .statusCode(201);

        asAdministrator()
                .header("If-Match", "*")
                .delete(VOLUMES + "/" + volume)
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:volume.in_use"));
    }

    @Test
    void shouldRefuseANameTwiceInAPool() {
        var head = fixture.head(64 * MIB);
        created(head, "name");

        asAdministrator()
                .body(body(head, "name", MIB))
                .post(VOLUMES)
                .then()
                .statusCode(409)
                .body("type", equalTo("urn:fairlead:problem:volume.name_taken"));
    }

    @Test
    void shouldAskWhichPoolWhenThereAreSeveral() {
        fixture.head(MIB);
        fixture.head(MIB);

        asAdministrator()
                .body("{\"name\":\"v\",\"sizeBytes\":" + MIB + "}")
                .post(VOLUMES)
                .then()
                .statusCode(422)
                .body("type", equalTo("urn:fairlead:problem:pool.ambiguous"))
                .body("errors.pointer", hasItem("/poolId"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|422|/name",
                "{\"name\":\"v\"}|422|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":0}|422|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":-4096}|422|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":9223372036854775807}|422|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":9223372036854775808}|400|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":1048576.5}|400|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":1048577}|422|/sizeBytes",
                "{\"name\":\"v\",\"sizeBytes\":1048576,\"lbaBytes\":1024}|422|/lbaBytes",
                "{\"name\":\"\",\"sizeBytes\":1048576}|422|/name",
                "{\"name\":\"v\",\"sizeBytes\":1048576,\"poolId\":\"x\"}|400|/poolId"
            })
    void shouldNameTheField(String body, int status, String pointer) {
        asAdministrator().body(body).post(VOLUMES).then().statusCode(status).body("errors.pointer", hasItem(pointer));
    }

    @Test
    void shouldSayThatAPoolIsUnknown() {
        asAdministrator()
                .body("{\"poolId\":\"" + UUID.randomUUID() + "\",\"name\":\"v\",\"sizeBytes\":" + MIB + "}")
                .post(VOLUMES)
                .then()
                .statusCode(404)
                .body("type", equalTo("urn:fairlead:problem:pool.not_found"))
                .body("errors.pointer", hasItem("/poolId"));
    }
}
