package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every block of Java in the README and in docs/ stands, line by line, in an example that is compiled and run as a test. Lines that
 * only say {@code import} may stand anywhere in it.
 */
class DocumentedCodeTest {

    private static final Path ROOT = Path.of("..");
    private static final Path EXAMPLES = Path.of("src/test/java/dev/recloser/tests/docs");

    @TestFactory
    List<DynamicTest> everyJavaBlockIsPartOfAnExample() throws IOException {
        List<String> examples = examples();
        List<DynamicTest> tests = new ArrayList<>();
        for (Path document : documents()) {
            int number = 0;
            for (String block : javaBlocks(document)) {
                number++;
                tests.add(DynamicTest.dynamicTest(
                        document.getFileName() + ", block " + number,
                        () -> assertThat(examples)
                                .as("the examples, one of which must hold this block line by line:\n" + block)
                                .anyMatch(example -> example.contains(normalized(block)))));
            }
        }
        assertThat(tests).as("blocks found").hasSizeGreaterThan(3);
        return tests;
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(path -> path.toString().endsWith(".md")).sorted())
                    .toList();
        }
    }

    private static List<String> examples() throws IOException {
        try (Stream<Path> sources = Files.walk(EXAMPLES)) {
            List<String> contents = new ArrayList<>();
            for (Path source : sources.filter(path -> path.toString().endsWith("Test.java"))
                    .toList()) {
                contents.add(normalized(Files.readString(source)));
            }
            return contents;
        }
    }

    private static List<String> javaBlocks(Path document) throws IOException {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : Files.readAllLines(document)) {
            if (block == null && line.strip().equals("```java")) {
                block = new StringBuilder();
            } else if (block != null && line.strip().equals("```")) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
            }
        }
        assertThat(block).as("a block without an end in " + document).isNull();
        return blocks;
    }

    /** Without indentation and blank lines, which differ between a document and a class. */
    private static String normalized(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
