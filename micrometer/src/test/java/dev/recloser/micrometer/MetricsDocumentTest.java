package dev.recloser.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/metrics.md are those of the enums; {@code -Drecloser.updateDocs=true} writes them anew. */
class MetricsDocumentTest {

    private static final boolean UPDATE = Boolean.getBoolean("recloser.updateDocs");
    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final String BEGIN = "<!-- library meters: made from RecloserMeter, do not edit -->\n";
    private static final String END = "<!-- end of library meters -->\n";

    @Test
    void tablesOfTheDocumentAreThoseOfTheEnums() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        assertThat(begin).as("the mark of the beginning").isGreaterThanOrEqualTo(BEGIN.length());
        assertThat(end).as("the mark of the end").isGreaterThanOrEqualTo(begin);
        if (UPDATE) {
            Files.writeString(DOCUMENT, document.substring(0, begin) + tables() + document.substring(end));
            return;
        }
        assertThat(document.substring(begin, end))
                .as("the tables; to write them anew: mvn test -pl micrometer -am -Drecloser.updateDocs=true"
                        + " -Dtest=MetricsDocumentTest -Dsurefire.failIfNoSpecifiedTests=false")
                .isEqualTo(tables());
    }

    private static String tables() {
        String meters = Arrays.stream(RecloserMeter.values())
                .map(meter -> "| `" + meter.meterName() + "` | " + TagKey.value(meter.kind()) + " | "
                        + meter.tags().stream()
                                .map(tag -> "`" + tag.key() + "`")
                                .collect(Collectors.joining(", "))
                        + " | " + (meter.kind() == RecloserMeter.Kind.TIMER ? "s" : "") + " | " + meter.description()
                        + " |\n")
                .collect(Collectors.joining());
        String tags = Arrays.stream(TagKey.values())
                .map(tag -> "| `" + tag.key() + "` | " + tag.description() + " | "
                        + (tag.constants().isEmpty()
                                ? ""
                                : "`" + tag.constants().replace(", ", "`, `") + "`")
                        + " |\n")
                .collect(Collectors.joining());
        return "\n| meter | type | tags | unit | what |\n|---|---|---|---|---|\n" + meters
                + "\n| tag | what | values |\n|---|---|---|\n" + tags + "\n";
    }
}
