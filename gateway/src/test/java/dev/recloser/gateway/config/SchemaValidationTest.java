package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** What a validator makes of configurations by the schema, as editors do. */
class SchemaValidationTest {

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Schema SCHEMA = REGISTRY.getSchema(ConfigSchema.text(), InputFormat.JSON);

    private static final String YAML = """
            listen: 127.0.0.1:8080
            routes: [ { match: { path: /** }, cluster: a } ]
            clusters: { a: { destinations: [ "http://b" ] } }
            """;

    /** What an editor takes a value for: YAML 1.2, by which {@code off} is a text. */
    private static JsonNode json(Node node) {
        JsonNodeFactory factory = JsonNodeFactory.instance;
        if (node instanceof MappingNode mapping) {
            ObjectNode object = factory.objectNode();
            mapping.getValue()
                    .forEach(tuple ->
                            object.set(((ScalarNode) tuple.getKeyNode()).getValue(), json(tuple.getValueNode())));
            return object;
        } else if (node instanceof SequenceNode sequence) {
            ArrayNode array = factory.arrayNode();
            sequence.getValue().forEach(element -> array.add(json(element)));
            return array;
        }
        ScalarNode scalar = (ScalarNode) node;
        String text = scalar.getValue();
        if (scalar.getScalarStyle() != ScalarStyle.PLAIN) {
            return factory.textNode(text);
        } else if (text.matches("[-+]?\\d+")) {
            return factory.numberNode(Long.parseLong(text));
        } else if (text.matches("[-+]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][-+]?\\d+)?")) {
            return factory.numberNode(Double.parseDouble(text));
        } else if (text.matches("true|false")) {
            return factory.booleanNode(text.equals("true"));
        }
        return text.matches("|~|null") ? factory.nullNode() : factory.textNode(text);
    }

    private static List<String> faults(String yaml) {
        Node root = new Yaml().compose(new StringReader(yaml));
        return SCHEMA.validate(json(root)).stream().map(String::valueOf).toList();
    }

    @Test
    void theSchemaIsOne() throws IOException {
        Schema schemaOfSchemas = REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        assertThat(schemaOfSchemas.validate(new ObjectMapper().readTree(ConfigSchema.text())))
                .isEmpty();
    }

    @TestFactory
    List<DynamicTest> everyConfigurationThatIsShownFits() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path document : DocumentedConfigTest.documents()) {
            for (String block : DocumentedConfigTest.yamlBlocks(document)) {
                tests.add(fits(document.getFileName() + ", block " + (tests.size() + 1), block));
            }
        }
        for (String file : List.of("examples/gateway.yaml", "../ops/kubernetes/gateway.yaml")) {
            tests.add(fits(file, Files.readString(Path.of(file))));
        }
        return tests;
    }

    private static DynamicTest fits(String name, String yaml) {
        return DynamicTest.dynamicTest(name, () -> assertThat(faults(yaml)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout: \"${TIMEOUT}\"",
                "max-request-body: \"${SIZE:-10}MiB\"",
                "circuit-breaker: { probes: \"${PROBES}\", failure-ratio: \"${RATIO:-0.5}\" }",
                "circuit-breaker: { probes: \"2\" }",
                "load-balancing: \"${POLICY:-round-robin}\"",
                "outlier-detection: off",
                "outlier-detection: { slow-start: 10 s }",
                "health-check: { path: \"/a?b\", statuses: 200, probes-circuit: true }",
                "health-check: { path: /, statuses: 200-399, probes-circuit: \"${PROBE}\" }",
                "retry: { max-retries: 1, statuses: [ 429, 503, \"504\" ], budget: { ratio: 0.1 } }"
            })
    void whatIsGoodFits(String setting) {
        String yaml =
                YAML.replace("\"http://b\" ]", "\"http://b\", { url: \"http://c:80\", weight: 3 } ]\n, " + setting);
        assertThat(faults(yaml)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:9090",
                "{ listen: \"[::1]:9090\" }",
                "{ listen: \"0.0.0.0:9090\", token: \"${T}\" }",
                "{ listen: \"0.0.0.0:${ADMIN_PORT:-9090}\", token: 0123456789abcdef+/== }"
            })
    void anAdminServerThatIsGoodFits(String admin) {
        assertThat(faults(YAML + "admin: " + admin + "\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout: 5",
                "timeout: 5 seconds",
                "timeout: 0s",
                "tiemout: 5s",
                "max-request-body: 10MB",
                "load-balancing: random",
                "circuit-breaker: { failure-ratio: 0 }",
                "circuit-breaker: { failure-ratio: 1.5 }",
                "circuit-breaker: { probes: 0 }",
                "circuit-breaker: { probes: 1.5 }",
                "circuit-breaker: { probes: many }",
                "circuit-breaker: { sampling: 10s }",
                "retry: { statuses: [ 503 ] }",
                "retry: { max-retries: 11 }",
                "retry: { max-retries: 1, statuses: [ 404 ] }",
                "rate-limit: { permits: 1, algorithm: leaky-bucket }",
                "health-check: { interval: 5s }",
                "health-check: { path: /, statuses: 2xx }",
                "health-check: { path: /, probes-circuit: yes }",
                "outlier-detection: on",
                "concurrency-limit: 5",
            })
    void whatIsWrongWithAClusterDoesNotFit(String setting) {
        assertThat(faults(YAML.replace("] } }", "], " + setting + " } }"))).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listen: 8080",
                "listen: http://127.0.0.1:8080",
                "admin: { token: 0123456789abcdefg }",
                "admin: { listen: \"127.0.0.1:9090\", token: short }",
                "admin: { listen: \"127.0.0.1:9090\", token: \"with blanks in between\" }",
                "access-log: stdot",
                "routes: []",
                "routes: [ { cluster: a } ]",
                "routes: [ { match: {}, cluster: a } ]",
                "routes: [ { match: { methods: [ get ] }, cluster: a } ]",
                "routes: [ { match: { path: a }, cluster: a } ]",
                "clusters: {}",
                "clusters: { a: {} }",
                "clusters: { \"a b\": { destinations: [ \"http://b\" ] } }",
                "clusters: { a: { destinations: [ \"b:80\" ] } }",
                "clusters: { a: { destinations: [ { weight: 1 } ] } }"
            })
    void whatIsWrongAtTheTopDoesNotFit(String setting) {
        String key = setting.substring(0, setting.indexOf(':'));
        String others = YAML.replaceAll("(?m)^" + key + ":.*\n", "");
        assertThat(faults(others + setting + "\n")).isNotEmpty();
    }
}
