package dev.recloser.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The section about the gateway in docs/metrics.md names the metrics that there are. */
class MetricsDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final String SECTION = "\n## Gateway\n";
    private static final Pattern NAME = Pattern.compile("recloser_[a-z_]+");

    /** From the heading of the section to the next one of its level. */
    private static String section() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(SECTION);
        assertThat(begin).as("the heading of the section").isNotNegative();
        int end = document.indexOf("\n## ", begin + SECTION.length());
        return document.substring(begin, end < 0 ? document.length() : end);
    }

    private static String row(Metric metric) {
        String labels = metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s |"
                .formatted(metric.fullName(), metric.type().name().toLowerCase(Locale.ROOT), labels, metric.help());
    }

    private static List<String> table() {
        return Arrays.stream(Metric.values()).map(MetricsDocumentTest::row).toList();
    }

    @Test
    void theTableOfMetricsIsTheOneOfTheProgram() throws IOException {
        List<String> written = section()
                .lines()
                .filter(line -> line.startsWith("| `recloser_"))
                .toList();
        assertThat(written)
                .as("the rows of the table; it should be\n%s\n", String.join("\n", table()))
                .isEqualTo(table());
    }

    @Test
    void noOtherMetricIsNamedInTheText() throws IOException {
        Set<String> known = Arrays.stream(Metric.values()).map(Metric::fullName).collect(Collectors.toSet());
        Matcher named = NAME.matcher(section());
        while (named.find()) {
            assertThat(known).contains(named.group().replaceAll("_(bucket|sum|count)$", ""));
        }
    }

    @Test
    void everyLabelIsExplained() throws IOException {
        String section = section();
        for (Metric metric : Metric.values()) {
            metric.labels().forEach(label -> assertThat(section).contains("\n| `" + label + "` | "));
        }
    }
}
