package io.fairlead.platform;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The checked-in API descriptions are what the code does. After an intended change, copy the file that the failure names over the
 * checked-in one and look at the difference: within v1 it may only add.
 */
@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class ContractTest {

    private static final String SCHEMAS = "#/components/schemas/";
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES));

    @ParameterizedTest
    @CsvSource({"management-v1, /api/v1/", "worker-v1, /worker/v1/"})
    void shouldMatchTheCheckedInDescription(String name, String prefix) throws IOException {
        JsonNode generated = part(
                new ObjectMapper()
                        .readTree(given().get("/q/openapi?format=json").asString()),
                name,
                prefix);
        Path fresh = Path.of("target", "openapi", name + ".yaml");
        Files.createDirectories(fresh.getParent());
        Files.writeString(fresh, YAML.writeValueAsString(generated));

        JsonNode checkedIn =
                YAML.readTree(Files.readString(Path.of("src/main/openapi").resolve(name + ".yaml")));

        assertThat(YAML.readTree(Files.readString(fresh)))
                .as("compare with " + fresh)
                .isEqualTo(checkedIn);
    }

    /** The operations below the prefix with the schemas that they need, and nothing else. */
    private static ObjectNode part(JsonNode whole, String name, String prefix) {
        ObjectNode part = YAML.createObjectNode();
        part.set("openapi", whole.path("openapi"));
        part.putObject("info").put("title", "Fairlead " + name).put("version", "1");
        ObjectNode paths = part.putObject("paths");
        for (String path : sortedNames(whole.path("paths"))) {
            if (path.startsWith(prefix)) {
                paths.set(path, whole.path("paths").path(path));
            }
        }
        ObjectNode components = part.putObject("components");
        components.set("securitySchemes", whole.path("components").path("securitySchemes"));
        ObjectNode schemas = components.putObject("schemas");
        for (String schema : reachable(paths, whole.path("components").path("schemas"))) {
            schemas.set(schema, whole.path("components").path("schemas").path(schema));
        }
        return part;
    }

    private static Set<String> reachable(JsonNode from, JsonNode schemas) {
        Set<String> found = new TreeSet<>();
        Deque<JsonNode> open = new ArrayDeque<>(Set.of(from));
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            for (JsonNode reference : node.findValues("$ref")) {
                String schema = reference.asText().substring(SCHEMAS.length());
                if (found.add(schema)) {
                    open.push(schemas.path(schema));
                }
            }
        }
        return found;
    }

    private static Set<String> sortedNames(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
