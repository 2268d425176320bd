package io.fairlead.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fairlead.core.DriveId;
import io.fairlead.core.Generation;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.DesiredStates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ContractJsonTest {

    private static final ObjectMapper MAPPER = ContractJson.mapper();

    /** The optional ones; every other field has to be there. */
    private static final Set<String> OPTIONAL = Set.of(
            "firmware",
            "health",
            "reading",
            "temperatureCelsius",
            "authentication",
            "controllerSecret",
            "reason",
            "proof",
            "refusalWithoutKey",
            "problem",
            "signature",
            "details",
            "drift",
            "limits",
            "foreign",
            "anaStates",
            "inCapsuleBytes",
            "queueSizeMax",
            "metadataPercent",
            "syncPercent");

    @Test
    void shouldReadBackWhatItWrote() throws Exception {
        DesiredState desired = desired();
        HeadReport report = report();

        assertThat(MAPPER.readValue(MAPPER.writeValueAsBytes(desired), DesiredState.class))
                .isEqualTo(desired);
        assertThat(MAPPER.readValue(MAPPER.writeValueAsBytes(report), HeadReport.class))
                .isEqualTo(report);
    }

    @Test
    void shouldIgnoreWhatANewerPeerSays() throws Exception {
        ObjectNode tree = MAPPER.valueToTree(desired());
        tree.put("somethingNew", 7);
        ((ObjectNode) tree.path("hosts").get(0)).put("somethingNew", "x");

        assertThat(MAPPER.treeToValue(tree, DesiredState.class)).isEqualTo(desired());
    }

    @Test
    void shouldRefuseHalfAMessageWhateverIsMissing() throws Exception {
        assertEachFieldIsNeeded(MAPPER.valueToTree(desired()), MAPPER.valueToTree(desired()), DesiredState.class);
        assertEachFieldIsNeeded(MAPPER.valueToTree(report()), MAPPER.valueToTree(report()), HeadReport.class);
    }

    /** Takes each field out of {@code part}, which lies within {@code whole}, and reads the rest. */
    private static void assertEachFieldIsNeeded(JsonNode whole, JsonNode part, Class<?> type) {
        walk(whole, whole, type);
        assertThat(whole).isEqualTo(part);
    }

    private static void walk(JsonNode whole, JsonNode part, Class<?> type) {
        if (part instanceof ArrayNode array) {
            array.forEach(element -> walk(whole, element, type));
        }
        if (part instanceof ObjectNode object) {
            for (String name : List.copyOf(names(object))) {
                JsonNode value = object.get(name);
                boolean isMap = name.equals("observed");
                boolean isOptional = OPTIONAL.contains(name) || (type == DesiredState.class && name.equals("pools"));
                if (!isOptional && !isMap) {
                    object.remove(name);
                    assertThatThrownBy(() -> MAPPER.treeToValue(whole, type))
                            .as("without %s", name)
                            .isInstanceOf(JsonProcessingException.class);
                    object.set(name, value);
                }
                if (!isMap) {
                    walk(whole, value, type);
                }
            }
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static HeadReport.PoolDetails details(Reason reason) {
        return new HeadReport.PoolDetails(
                DesiredStates.poolId("p"), 1, 2, Optional.of(3), Optional.of(4), List.of(reason));
    }

    private static DesiredState desired() {
        return DesiredStates.generation(3)
                .host("h", 1)
                .listener("lo", "127.0.0.1", 0)
                .pool(new DesiredPool(
                        DesiredStates.poolId("fast"),
                        "fast",
                        DesiredPool.Layout.MIRROR,
                        DesiredPool.Provisioning.THIN,
                        List.of(new DesiredPool.Member(new DriveId(DesiredStates.id("drive")), "eui.2", "")),
                        DesiredPool.Presence.PRESENT))
                .anaState("lo", 1, AnaState.NON_OPTIMIZED)
                .export("a", 1 << 20, "h", "lo")
                .subsystem("d", List.of(DesiredStates.onDrive("d", 1, "eui.1", "ext4", 1 << 20)), List.of(), List.of())
                .build();
    }

    private static HeadReport report() {
        Reason reason = new Reason("a.b", "A sentence.");
        Instant at = Instant.parse("2026-12-01T00:00:00.123Z");
        UUID id = new UUID(1, 2);
        return new HeadReport(
                HeadReport.SCHEMA,
                DesiredStates.HEAD,
                "boot",
                1,
                at,
                new Generation(3),
                new HeadReport.EngineReport("embedded", "1", List.of("transport.tcp"), Optional.of(List.of(reason))),
                List.of(new DriveReport(
                        "eui.1",
                        "nvme",
                        "nvme0n1",
                        "M",
                        "S",
                        1,
                        512,
                        DriveReport.Rotation.SOLID_STATE,
                        List.of(new DriveReport.InUseReason("signature", "Data.", Optional.of("xfs"))),
                        Optional.of("1.0"),
                        Optional.of(new DriveHealth(
                                Optional.of(new DriveHealth.Reading(at, Optional.of(50), 100, 10, 1, 2, 3, 4, 5, 6, 7)),
                                List.of(new DriveHealth.Alarm("drive.worn", DriveHealth.Severity.WARNING, "Worn.")),
                                Optional.of(reason))))),
                List.of(new HeadReport.PoolReport(
                        "p", "file", "/p", 2, 1, Optional.of(reason), Optional.of(details(reason)))),
                List.of(new ObjectReport(
                        ObjectKind.LISTENER, id, ObjectState.READY, Optional.empty(), Map.of("trsvcid", "1"))),
                List.of(new PathReport(
                        DesiredStates.pathId("a"),
                        PathReport.State.PROVEN,
                        Optional.empty(),
                        Optional.of(new PathReport.Proof(
                                at,
                                "127.0.0.1",
                                4420,
                                Optional.of(
                                        new PathReport.Authenticated(AuthHash.SHA_256, AuthDhGroup.FFDHE_2048, true)),
                                Optional.of(true),
                                1,
                                1,
                                100,
                                1,
                                2)))),
                List.of(new StepReport(
                        new Generation(3),
                        "add",
                        ObjectKind.NAMESPACE,
                        id,
                        StepReport.Outcome.FAILED,
                        at,
                        at,
                        Optional.of(reason))),
                List.of(new AuthenticationFailureReport(
                        id,
                        at,
                        "nqn.h",
                        "nqn.s",
                        "127.0.0.1:1",
                        AuthenticationFailureReport.Check.KEY_MISMATCH,
                        "Wrong.")),
                Optional.of(List.of(new ForeignObject("port", "1", "Somebody made it."))),
                Optional.of(List.of(new DriftReport(
                        id,
                        at,
                        ObjectKind.SUBSYSTEM,
                        id,
                        "nqn.s",
                        List.of(new DriftReport.Difference("serial", "A", "B")),
                        "set subsystem nqn.s",
                        false,
                        Optional.of(reason)))));
    }
}
