package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.spi.SettingsReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/gateway.md about how destinations are judged say what the code does. */
class DestinationsDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/gateway.md");
    private static final Pattern KNOWN_KEYS = Pattern.compile(".*; the keys are (.*)");
    private static final Pattern ALLOWED = Pattern.compile(".* ([a-z-]+) is '?[^']*'?; it must be (.*)");
    private static final String YAML = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /** }, cluster: a } ]
            clusters: { a: { destinations: [ "http://a", "http://b" ], %s } }
            """;

    static Map<String, List<String>> rows(String section) throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (!line.startsWith("|")) {
                inTable = false;
            } else if (line.equals("| key of `" + section + "` | meaning | default | range |")) {
                inTable = true;
            } else if (inTable && !line.startsWith("|---")) {
                List<String> cells = Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList();
                rows.put(cells.get(0), cells);
            }
        }
        return rows;
    }

    private static List<Finding> findings(String setting) {
        return ConfigReader.parse("c", YAML.formatted(setting)).findings();
    }

    private static void assertKeys(String section) throws IOException {
        String unknown = findings(section + ": { qqqqqqqq: 1 }").stream()
                .map(Finding::toString)
                .filter(finding -> finding.contains("qqqqqqqq"))
                .findAny()
                .orElseThrow();
        Matcher keys = KNOWN_KEYS.matcher(unknown);
        assertThat(keys.matches()).isTrue();
        assertThat(rows(section).keySet())
                .containsExactlyInAnyOrder(keys.group(1).split(", "));
    }

    private static void assertRanges(String section, String wrong, int count) throws IOException {
        Map<String, List<String>> rows = rows(section);
        List<Finding> findings = ConfigReader.parse("c", YAML.formatted(section + ": { " + wrong + " }"))
                .errors();
        assertThat(findings).hasSize(count);
        for (Finding finding : findings) {
            Matcher allowed = ALLOWED.matcher(finding.toString());
            assertThat(allowed.matches()).as(finding.toString()).isTrue();
            assertThat(rows.get(allowed.group(1)).get(3)).as(finding.toString()).isEqualTo(allowed.group(2));
        }
    }

    private static void assertDefault(String section, String key, Object value) throws IOException {
        String written = rows(section).get(key).get(2);
        if (value instanceof Duration duration) {
            assertThat(SettingsReading.duration(written)).as(key).contains(duration);
        } else {
            assertThat(written).as(key).isEqualTo(String.valueOf(value));
        }
    }

    @Test
    void outlierDetectionIsDescribedAsItIs() throws IOException {
        String section = "outlier-detection";
        assertKeys(section);
        assertRanges(
                section,
                "consecutive-failures: 0, failure-ratio: 2, minimum-throughput: 0, interval: 1ms, ejection-time: 2d,"
                        + " max-ejection-time: 2d, max-ejected-ratio: 0, slow-start: 2d",
                8);
        OutlierDetectionConfig usual = OutlierDetectionConfig.USUAL;
        assertDefault(section, "consecutive-failures", usual.consecutiveFailures());
        assertDefault(section, "failure-ratio", "the ratio does not matter");
        assertThat(usual.failureRatio()).isEmpty();
        assertDefault(section, "minimum-throughput", usual.minimumThroughput());
        assertDefault(section, "interval", usual.interval());
        assertDefault(section, "ejection-time", usual.ejectionTime());
        assertThat(rows(section).get("max-ejection-time").get(2))
                .isEqualTo(Durations.write(usual.maxEjectionTime()) + ", or the ejection-time if that is longer");
        assertDefault(section, "max-ejected-ratio", usual.maxEjectedRatio());
        assertDefault(section, "slow-start", "off");
        assertThat(usual.slowStart()).isZero();
    }

    @Test
    void healthCheckIsDescribedAsItIs() throws IOException {
        String section = "health-check";
        assertKeys(section);
        assertRanges(section, "path: /, interval: 1ms, timeout: 2d, healthy-after: 0, unhealthy-after: 0", 4);
        HealthCheckConfig usual = HealthCheckConfig.of("/");
        assertDefault(section, "path", "must be given");
        assertDefault(section, "interval", usual.interval());
        assertDefault(section, "timeout", usual.timeout());
        assertDefault(section, "healthy-after", usual.healthyAfter());
        assertDefault(section, "unhealthy-after", usual.unhealthyAfter());
        assertDefault(section, "statuses", usual.statuses());
        assertDefault(section, "probes-circuit", usual.probesCircuit());
    }
}
