package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** The files by which the gateway is deployed, and what is written in them. */
final class Deployed {

    static final Path KUBERNETES = Path.of("..", "ops", "kubernetes");
    static final Path CONFIG = KUBERNETES.resolve("gateway.yaml");

    private static final Path UNIT = Path.of("..", "ops", "systemd", "recloser-gateway.service");
    private static final Path CONTAINER = Path.of("..", "ops", "container", "Containerfile");
    private static final Path SCRIPT = Path.of("..", "recloser");
    private static final ObjectMapper JSON = new ObjectMapper();

    private Deployed() {}

    /** All documents of a file. */
    static List<JsonNode> documents(String file) throws IOException {
        List<JsonNode> documents = new ArrayList<>();
        for (Object document : new Yaml().loadAll(Files.readString(KUBERNETES.resolve(file)))) {
            documents.add(JSON.valueToTree(document));
        }
        return documents;
    }

    static JsonNode document(String file) throws IOException {
        List<JsonNode> documents = documents(file);
        assertThat(documents).as(file).hasSize(1);
        return documents.get(0);
    }

    /** The only container of the pods. */
    static JsonNode container() throws IOException {
        return document("deployment.yaml").at("/spec/template/spec/containers/0");
    }

    static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** The unit of systemd, each line as it is once those are joined that go on in the next one. */
    static List<String> unit() throws IOException {
        return Files.readString(UNIT).replaceAll("\\s*\\\\\n\\s*", " ").lines().toList();
    }

    /** The value of a setting of the unit that stands there once. */
    static String unit(String setting) throws IOException {
        List<String> values = unit().stream()
                .filter(line -> line.startsWith(setting + "="))
                .map(line -> line.substring(setting.length() + 1))
                .toList();
        assertThat(values).as(setting).hasSize(1);
        return values.get(0);
    }

    /** What is behind an instruction of the last stage of the image. */
    static List<String> image(String instruction) throws IOException {
        String file = Files.readString(CONTAINER);
        return file.substring(file.lastIndexOf("\nFROM "))
                .lines()
                .filter(line -> line.startsWith(instruction + " "))
                .map(line -> line.substring(instruction.length() + 1))
                .toList();
    }

    /** The words of an instruction in the form that needs no shell. */
    static List<String> words(String instruction) throws IOException {
        return texts(JSON.readTree(image(instruction).get(0)));
    }

    /** The options for Java that the script of the source tree always gives. */
    static List<String> javaOptions() throws IOException {
        Matcher options = Pattern.compile("(?m)^options=\\((.*)\\)$").matcher(Files.readString(SCRIPT));
        assertThat(options.find()).isTrue();
        return Arrays.stream(options.group(1).split(" "))
                // How much memory there is, each place knows itself.
                .filter(option -> !option.startsWith("-Xms") && !option.startsWith("-XX:NewSize"))
                .toList();
    }
}
