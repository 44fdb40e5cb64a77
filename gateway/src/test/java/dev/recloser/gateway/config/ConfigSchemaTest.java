package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recloser.gateway.proxy.TestIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The schema says what the readers do. Nothing here names a key: for each mapping of the schema a configuration is made that has one, with
 * what the schema gives as examples, and read. {@code -Drecloser.updateDocs=true} writes the file anew.
 */
class ConfigSchemaTest {

    private static final Path FILE = Path.of("../docs/recloser-gateway.schema.json");
    private static final boolean UPDATE = Boolean.getBoolean("recloser.updateDocs");
    private static final Pattern KNOWN_KEYS = Pattern.compile(".*unknown key 'qqqqqqqq' in .*; the keys are (.*)");

    /** Examples that only work on a machine that is made for them. */
    private static final Map<String, String> HERE =
            new HashMap<>(Map.of("/var/log/recloser/access.log", "target/access.log"));

    @TempDir
    static Path directory;

    @BeforeAll
    static void makeFiles() throws Exception {
        TestIdentity server = new TestIdentity(directory, "server", "EC", "dns:localhost");
        HERE.put("server.pem", server.certificateFile().toString());
        HERE.put("server.key", server.keyFile().toString());
    }

    /** The most of these is what another key says. */
    private static final Set<String> BOUND_BY_OTHERS = Set.of("initial-limit");

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A mapping of the schema.
     *
     * @param path where it stands
     * @param schema what the schema says of it
     * @param around makes a whole configuration of such a mapping
     */
    private record Place(String path, JsonNode schema, UnaryOperator<Object> around) {

        /** The least that may stand here, and some more keys. */
        Map<String, Object> with(String key, Object value) {
            Map<String, Object> mapping = least();
            mapping.put(key, value);
            return mapping;
        }

        @SuppressWarnings("unchecked") // it is a mapping
        Map<String, Object> least() {
            return new LinkedHashMap<>((Map<String, Object>) ConfigSchemaTest.least(schema));
        }

        CheckedConfig read(Map<String, Object> mapping) {
            try {
                String text = JSON.writeValueAsString(around.apply(mapping));
                for (Map.Entry<String, String> here : HERE.entrySet()) {
                    text = text.replace(here.getKey(), here.getValue());
                }
                return ConfigReader.parse("c", text);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** What the schema gives as an example, or else the least that it allows. */
    private static Object least(JsonNode schema) {
        if (schema.has("examples")) {
            return JSON.convertValue(schema.get("examples").get(0), Object.class);
        } else if (schema.has("anyOf")) {
            return least(schema.get("anyOf").get(0));
        } else if (schema.has("items")) {
            return List.of(least(schema.get("items")));
        } else if (schema.has("propertyNames")) {
            return Map.of("service", least(schema.get("additionalProperties")));
        }
        assertThat(schema.has("properties")).as("has an example: " + schema).isTrue();
        Map<String, Object> mapping = new LinkedHashMap<>();
        schema.path("required")
                .forEach(key ->
                        mapping.put(key.asText(), least(schema.get("properties").get(key.asText()))));
        return mapping;
    }

    private static List<Place> places() throws IOException {
        List<Place> places = new ArrayList<>();
        find("", JSON.readTree(ConfigSchema.text()), UnaryOperator.identity(), places);
        return places;
    }

    private static void find(String path, JsonNode schema, UnaryOperator<Object> around, List<Place> places) {
        schema.path("anyOf").forEach(each -> find(path, each, around, places));
        if (schema.has("items")) {
            find(path + "[]", schema.get("items"), value -> around.apply(List.of(value)), places);
        }
        if (schema.has("propertyNames")) {
            find(
                    path + ".NAME",
                    schema.get("additionalProperties"),
                    value -> around.apply(Map.of("service", value)),
                    places);
        }
        if (schema.has("properties")) {
            Place place = new Place(path, schema, around);
            places.add(place);
            schema.get("properties")
                    .properties()
                    .forEach(property -> find(
                            path + "." + property.getKey(),
                            property.getValue(),
                            value -> around.apply(place.with(property.getKey(), value)),
                            places));
        }
    }

    private static List<String> errors(CheckedConfig checked) {
        return checked.errors().stream().map(Finding::message).toList();
    }

    /** Has an error that says that this key has a wrong value. */
    private static boolean blames(CheckedConfig checked, String key) {
        return errors(checked).stream().anyMatch(error -> error.startsWith(key + " is "));
    }

    @Test
    void theFileIsTheOneOfTheProgram() throws IOException {
        if (UPDATE) {
            Files.writeString(FILE, ConfigSchema.text());
        }
        assertThat(FILE)
                .as("the schema; to write it anew: mvn test -pl gateway -am -Drecloser.updateDocs=true"
                        + " -Dtest=ConfigSchemaTest -Dsurefire.failIfNoSpecifiedTests=false")
                .hasContent(ConfigSchema.text());
    }

    @TestFactory
    List<DynamicTest> keysOfEachMappingAreThoseThatAreRead() throws IOException {
        return places().stream()
                .map(place -> DynamicTest.dynamicTest("keys of " + place.path(), () -> assertKeys(place)))
                .toList();
    }

    private static void assertKeys(Place place) {
        Set<String> known = new TreeSet<>();
        for (String error : errors(place.read(place.with("qqqqqqqq", 1)))) {
            Matcher keys = KNOWN_KEYS.matcher(error);
            if (keys.matches()) {
                known.addAll(List.of(keys.group(1).split(", ")));
            }
        }
        Set<String> shown = new TreeSet<>();
        place.schema().get("properties").fieldNames().forEachRemaining(shown::add);
        assertThat(shown).isEqualTo(known).isNotEmpty();
        assertThat(place.schema().get("additionalProperties").booleanValue()).isFalse();
    }

    @TestFactory
    List<DynamicTest> whatMustBeGivenIsWhatIsAskedFor() throws IOException {
        return places().stream()
                .map(place -> DynamicTest.dynamicTest("least of " + place.path(), () -> assertRequired(place)))
                .toList();
    }

    private static void assertRequired(Place place) {
        assertThat(errors(place.read(place.least()))).isEmpty();
        place.schema().path("required").forEach(key -> {
            Map<String, Object> without = place.least();
            without.remove(key.asText());
            assertThat(errors(place.read(without))).anyMatch(error -> error.contains(" has no '" + key.asText() + "'"));
        });
    }

    @TestFactory
    List<DynamicTest> valuesAreThoseThatAreTaken() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Place place : places()) {
            place.schema()
                    .get("properties")
                    .properties()
                    .forEach(property -> tests.add(DynamicTest.dynamicTest(
                            place.path() + "." + property.getKey(),
                            () -> assertValues(place, property.getKey(), property.getValue()))));
        }
        return tests;
    }

    private static void assertValues(Place place, String key, JsonNode schema) {
        assertThat(schema.path("description").asText()).as("description").isNotBlank();
        if (schema.has("default")) {
            Object value = JSON.convertValue(schema.get("default"), Object.class);
            assertThat(place.read(place.with(key, value)).config())
                    .as("with its default")
                    .isPresent()
                    .isEqualTo(place.read(place.least()).config());
        }
        if (schema.has("minimum") && !schema.has("items")) {
            double least = schema.get("minimum").asDouble();
            assertThat(blames(place.read(place.with(key, number(schema, least))), key))
                    .as("the least")
                    .isFalse();
            assertThat(blames(place.read(place.with(key, number(schema, least - 1))), key))
                    .as("less than the least")
                    .isTrue();
        }
        if (schema.has("exclusiveMinimum")) {
            assertThat(blames(
                            place.read(place.with(
                                    key, schema.get("exclusiveMinimum").numberValue())),
                            key))
                    .as("the bound itself")
                    .isTrue();
        }
        if (schema.has("maximum")) {
            double most = schema.get("maximum").asDouble();
            assertThat(blames(place.read(place.with(key, number(schema, most))), key))
                    .as("the most")
                    .isEqualTo(BOUND_BY_OTHERS.contains(key));
            assertThat(blames(place.read(place.with(key, number(schema, most + 1))), key))
                    .as("more than the most")
                    .isTrue();
        }
        schema.path("anyOf").path(0).path("enum").forEach(word -> {
            assertThat(errors(place.read(place.with(key, word.asText()))))
                    .as(word.asText())
                    .isEmpty();
        });
        if (schema.path("anyOf").path(0).has("enum")) {
            assertThat(errors(place.read(place.with(key, "qqqqqqqq")))).hasSize(1);
        }
    }

    private static Object number(JsonNode schema, double value) {
        return schema.get("type").toString().contains("integer") ? (Object) (long) value : (Object) value;
    }
}
