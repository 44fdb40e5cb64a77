package dev.recloser.tests.house;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The public API of the published modules stands in a file of each, so that no change to it goes unseen.
 *
 * <p>{@code mvn verify -Drecloser.updateApi=true} writes the files anew.
 */
@Tag("once")
class PublicApiTest {

    private static final boolean UPDATE = Boolean.getBoolean("recloser.updateApi");
    private static final Pattern TYPE = Pattern.compile("\\b(class|interface|enum|record) [\\w.]+");

    @ParameterizedTest
    @CsvSource({
        "core, dev.recloser",
        "testing, dev.recloser.testing",
        "http, dev.recloser.http",
        "micrometer, dev.recloser.micrometer",
        "opentelemetry, dev.recloser.opentelemetry"
    })
    void the_public_api_is_the_one_on_file(String module, String packageName) throws IOException {
        Path file = Build.root().resolve("core-tests/src/test/resources/public-api/" + module + ".txt");
        String actual = PublicApi.of(ModuleClasses.withPackage(packageName));
        if (UPDATE) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, actual);
            return;
        }
        String expected = Files.exists(file) ? Files.readString(file) : "";
        if (!actual.equals(expected)) {
            fail("The public API of " + module + " is not the one in "
                    + Build.root().relativize(file) + ":\n\n"
                    + difference(expected.lines().toList(), actual.lines().toList())
                    + "\nIf that is what you want: mvn verify -Drecloser.updateApi=true, and commit the file.");
        }
    }

    /** Lines that went and lines that came, each under the package and the class that they belong to. */
    private static String difference(List<String> before, List<String> after) {
        Set<String> gone = qualified(before);
        Set<String> come = qualified(after);
        StringBuilder text = new StringBuilder();
        gone.stream().filter(line -> !come.contains(line)).forEach(line -> text.append("- " + line + "\n"));
        come.stream().filter(line -> !gone.contains(line)).forEach(line -> text.append("+ " + line + "\n"));
        return text.isEmpty() ? "(the same lines in another order)\n" : text.toString();
    }

    private static Set<String> qualified(List<String> lines) {
        Set<String> qualified = new LinkedHashSet<>();
        String type = "";
        String inPackage = "";
        for (String line : lines) {
            if (line.startsWith("    ")) {
                qualified.add(inPackage + " | " + type + " | " + line.strip());
            } else if (line.startsWith("  ")) {
                Matcher header = TYPE.matcher(line);
                type = header.find() ? header.group() : line.strip();
                qualified.add(inPackage + " | " + line.strip());
            } else if (!line.isBlank()) {
                inPackage = line.strip();
                qualified.add(inPackage);
            }
        }
        return qualified;
    }
}
