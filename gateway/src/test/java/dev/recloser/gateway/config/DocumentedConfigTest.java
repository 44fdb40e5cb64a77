package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every configuration in the README and in docs/ is right and wise. */
class DocumentedConfigTest {

    private static final Path ROOT = Path.of("..");

    @TestFactory
    List<DynamicTest> everyConfigurationIsRightAndWise() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path document : documents()) {
            int number = 0;
            for (String block : yamlBlocks(document)) {
                number++;
                String name = document.getFileName() + ", block " + number;
                tests.add(DynamicTest.dynamicTest(
                        name,
                        () -> assertThat(ConfigReader.parse(name, block, DocumentedConfigTest::variable)
                                        .findings())
                                .isEmpty()));
            }
        }
        assertThat(tests).as("configurations found").isNotEmpty();
        return tests;
    }

    /** Secrets are never written down, not even as a default. */
    private static @Nullable String variable(String name) {
        return name.endsWith("_TOKEN") ? "0123456789abcdef" : null;
    }

    static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(path -> path.toString().endsWith(".md")).sorted())
                    .toList();
        }
    }

    static List<String> yamlBlocks(Path document) throws IOException {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : Files.readAllLines(document)) {
            if (block == null && line.equals("```yaml")) {
                block = new StringBuilder();
            } else if (block != null && line.equals("```")) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
            }
        }
        return blocks;
    }
}
