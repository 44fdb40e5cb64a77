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

/** The tables of docs/gateway.md about sections of their own, such as how destinations are judged, say what the code does. */
class DestinationsDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/gateway.md");
    private static final Pattern KNOWN_KEYS = Pattern.compile(".*; the keys are (.*)");
    private static final Pattern ALLOWED = Pattern.compile(".* ([a-z-]+) is '?[^']*'?; it must be (.*)");
    private static final String YAML = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /** }, cluster: a } ]
            clusters: { a: { destinations: [ "http://a", "http://b" ], %s } }
            """;

    private static String yaml(String setting) {
        return setting.startsWith("clients:")
                ? YAML.formatted("timeout: 5s") + setting + "\n"
                : YAML.formatted(setting);
    }

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
        return ConfigReader.parse("c", yaml(setting)).findings();
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
        List<Finding> findings =
                ConfigReader.parse("c", yaml(section + ": { " + wrong + " }")).errors();
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
    void maxConnectionsIsDescribedAsItIs() throws IOException {
        String section = "max-connections";
        assertKeys(section);
        assertRanges(section, "per-destination: 0, queue: -1, max-wait: 2d", 3);
        ConnectionLimitConfig usual = ConfigReader.parse("c", YAML.formatted("connect-timeout: 7s, " + section + ": 5"))
                .config()
                .orElseThrow()
                .clusters()
                .get("a")
                .limits()
                .connections()
                .orElseThrow();
        assertThat(usual.perDestination()).isEqualTo(5);
        assertDefault(section, "per-destination", "must be given");
        assertDefault(section, "queue", usual.queue());
        assertDefault(section, "max-wait", "the connect-timeout");
        assertThat(usual.maxWait()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void clientsAreDescribedAsTheyAre() throws IOException {
        String section = "clients";
        assertKeys(section);
        assertRanges(
                section,
                "max-connections: 0, max-connections-per-address: 0, idle-timeout: 2d, header-timeout: 2d,"
                        + " body-timeout: 2d, stall-timeout: 2d, min-body-rate: 2GiB, max-request-line: 1B,"
                        + " max-request-headers: 2MiB, max-header-fields: 0",
                10);
        ClientsConfig usual = ConfigReader.parse("c", yaml("clients: {}"))
                .config()
                .orElseThrow()
                .clients();
        assertThat(usual).isEqualTo(ClientsConfig.USUAL);
        assertThat(usual.connections().all()).isEmpty();
        assertThat(usual.connections().perAddress()).isEmpty();
        assertThat(usual.times().minBodyRate()).isEmpty();
        assertDefault(section, "max-connections", "any number");
        assertDefault(section, "max-connections-per-address", "any number");
        assertDefault(section, "idle-timeout", usual.times().idle());
        assertDefault(section, "header-timeout", usual.times().header());
        assertDefault(section, "body-timeout", usual.times().body());
        assertDefault(section, "stall-timeout", usual.times().stall());
        assertDefault(section, "min-body-rate", "any rate");
        assertDefault(section, "max-request-line", usual.sizes().requestLine() / 1024 + "KiB");
        assertDefault(section, "max-request-headers", usual.sizes().headers() / 1024 + "KiB");
        assertDefault(section, "max-header-fields", usual.sizes().headerFields());
        assertDefault(section, "allow-encoded-slashes", usual.encodedSlashes());
        assertDefault(section, "half-close", usual.halfClose());
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
