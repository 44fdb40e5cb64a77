package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.gateway.proxy.Ending;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.SettingsReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/gateway.md say what the code does. */
class GatewayDocumentTest {

    private static final Path DOCUMENT = Path.of("../docs/gateway.md");

    /** The least that a configuration can say: all else has its default. */
    private static final String MINIMAL = """
            listen: 127.0.0.1:8080
            routes:
              - match: { path: /** }
                cluster: service
            clusters:
              service:
                destinations: [ "http://127.0.0.1:9101" ]
            """;

    /** A key that is like no other, everywhere: each finding of it names the keys that there are. */
    private static final String UNKNOWN_KEYS = """
            listen: 127.0.0.1:8080
            qqqqqqqq: 1
            access-log: { file: access.log, qqqqqqqq: 1 }
            tls: { qqqqqqqq: 1 }
            routes:
              - match: { path: /**, qqqqqqqq: 1 }
                cluster: service
                qqqqqqqq: 1
            clusters:
              service:
                destinations: [ "http://127.0.0.1:9101", { url: "http://127.0.0.1:9102", qqqqqqqq: 1 } ]
                qqqqqqqq: 1
                circuit-breaker: { qqqqqqqq: 1 }
                tls: { qqqqqqqq: 1 }
                rate-limit: { permits: 1, qqqqqqqq: 1 }
                concurrency-limit: { max-concurrent: 1, qqqqqqqq: 1 }
                retry: { max-retries: 1, qqqqqqqq: 1, budget: { qqqqqqqq: 1 } }
              other:
                destinations: [ "http://127.0.0.1:9102" ]
                adaptive-limit: { latency-goal: 1s, qqqqqqqq: 1 }
            """;

    private static final Pattern KNOWN_KEYS = Pattern.compile(".*; the keys are (.*)");
    private static final Pattern ALLOWED = Pattern.compile(".* ([a-z-]+) is '?[^']*'?; it must be (.*)");

    /** Cells by the key in the first column, without the marks for code. */
    private final Map<String, List<String>> rows;

    GatewayDocumentTest() throws IOException {
        rows = rows("| key | meaning | default | range |");
    }

    /** The rows of all tables with this heading. */
    private static Map<String, List<String>> rows(String heading) throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (!line.startsWith("|")) {
                inTable = false;
            } else if (line.equals(heading)) {
                inTable = true;
            } else if (inTable && !line.startsWith("|---")) {
                List<String> cells = Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList();
                assertThat(rows.put(cells.get(0), cells)).as(line).isNull();
            }
        }
        return rows;
    }

    private String defaultOf(String key) {
        return rows.get(key).get(2);
    }

    private String rangeOf(String key) {
        return rows.get(key).get(3);
    }

    @Test
    void keysAreThoseThatAreRead() {
        Set<String> known = new TreeSet<>();
        int sections = 0;
        for (Finding finding : ConfigReader.parse("test", UNKNOWN_KEYS).findings()) {
            if (!finding.toString().contains("unknown key")) {
                continue; // no route leads to the other cluster, and tls lacks its files
            }
            Matcher keys = KNOWN_KEYS.matcher(finding.toString());
            assertThat(keys.matches()).as(finding.toString()).isTrue();
            known.addAll(List.of(keys.group(1).split(", ")));
            sections++;
        }
        assertThat(sections).isEqualTo(14);
        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void defaultsAreThoseOfAMinimalConfiguration() {
        GatewayConfig config = ConfigReader.parse("test", MINIMAL).config().orElseThrow();
        ClusterConfig cluster = config.clusters().get("service");
        CircuitBreakerOptions<Object> breaker = cluster.circuitBreaker();
        FailureRule.Ratio rule = (FailureRule.Ratio) breaker.failureRule();

        assertThat(config.admin()).isEmpty();
        assertThat(defaultOf("admin")).isEqualTo("no admin server");
        assertThat(config.accessLog()).isEmpty();
        assertThat(defaultOf("access-log")).isEqualTo("no access log");
        assertThat(SettingsReading.duration(defaultOf("connect-timeout"))).contains(cluster.connectTimeout());
        assertThat(SettingsReading.duration(defaultOf("timeout"))).contains(cluster.timeout());
        assertThat(SettingsReading.duration(defaultOf("idle-timeout"))).contains(cluster.idleTimeout());
        assertThat(config.tls()).isEmpty();
        assertThat(defaultOf("tls")).isEqualTo("no TLS with clients");
        assertThat(defaultOf("protocol"))
                .isEqualTo(cluster.upstream().protocol().key());
        assertThat(defaultOf("verify"))
                .isEqualTo(String.valueOf(cluster.upstream().tls().verify()));
        assertThat(defaultOf("load-balancing"))
                .isEqualTo(cluster.balancing().policy().key());
        assertThat(defaultOf("weight"))
                .isEqualTo(String.valueOf(cluster.destinations().get(0).weight()));
        assertThat(defaultOf("failure-ratio")).isEqualTo(String.valueOf(rule.ratio()));
        assertThat(defaultOf("minimum-throughput")).isEqualTo(String.valueOf(rule.minimumThroughput()));
        assertThat(SettingsReading.duration(defaultOf("sampling-duration"))).contains(rule.samplingDuration());
        assertThat(SettingsReading.duration(defaultOf("break-duration"))).contains(breaker.breakDuration());
        assertThat(defaultOf("probes")).isEqualTo(String.valueOf(breaker.probes()));
        assertThat(defaultOf("successes-to-close")).isEqualTo(String.valueOf(breaker.successesToClose()));
    }

    @Test
    void defaultsOfLimitsAndRetriesAreThoseOfTheSmallestSettings() {
        ClusterConfig fixed = cluster(
                "rate-limit: { permits: 7 }", "concurrency-limit: { max-concurrent: 7 }", "retry: { max-retries: 1 }");
        Map<String, String> rate = fixed.limits().rate().orElseThrow().settings();
        assertThat(rate).containsEntry("tokenBucket", "7 per " + written("per"));
        assertThat(rate).containsEntry("burst", "7").containsEntry("maxWait", "0 s");
        assertThat(defaultOf("burst")).isEqualTo("as permits");
        Map<String, String> concurrency =
                fixed.limits().concurrency().orElseThrow().settings();
        assertThat(concurrency).containsEntry("queue", defaultOf("queue")).containsEntry("maxWait", "1 s");
        assertThat(defaultOf("max-wait")).isEqualTo("none; 1s in the concurrency-limit");
        assertThat(defaultOf("ratio")).isEqualTo(String.valueOf(fixed.retry().budgetRatio()));
        assertThat(Double.parseDouble(defaultOf("minimum-per-second")))
                .isEqualTo(fixed.retry().budgetMinimumPerSecond());
        assertThat(Double.parseDouble(defaultOf("maximum-saved")))
                .isEqualTo(fixed.retry().budgetMaximumSaved());
        assertThat(fixed.retry().statuses()).isEmpty();

        Map<String, String> adaptive = cluster("adaptive-limit: { latency-goal: 1s }")
                .limits()
                .concurrency()
                .orElseThrow()
                .settings();
        assertThat(adaptive)
                .containsEntry("percentile", defaultOf("percentile"))
                .containsEntry("minLimit", defaultOf("min-limit"))
                .containsEntry("maxLimit", defaultOf("max-limit"))
                .containsEntry("initialLimit", defaultOf("initial-limit"))
                .containsEntry("window", written("window"))
                .containsEntry("minimumSamples", defaultOf("minimum-samples"))
                .containsEntry("decreaseFactor", defaultOf("decrease-factor"));
    }

    private String written(String key) {
        return SettingsCheck.readable(SettingsReading.duration(defaultOf(key)).orElseThrow());
    }

    private static ClusterConfig cluster(String... settings) {
        String yaml = MINIMAL
                + Arrays.stream(settings).map(line -> "    " + line + "\n").collect(Collectors.joining());
        return ConfigReader.parse("test", yaml)
                .config()
                .orElseThrow()
                .clusters()
                .get("service");
    }

    @Test
    void whatHasNoDefaultMustBeGiven() {
        for (String key : List.of("listen", "routes", "clusters", "match", "cluster", "destinations")) {
            assertThat(defaultOf(key)).as(key).isEqualTo("must be given");
            String without = MINIMAL.replaceFirst("\\b" + key + ":", "qqqqqqqq:");
            assertThat(ConfigReader.parse("test", without).config()).as(key).isEmpty();
        }
    }

    @Test
    void rangesAreThoseThatAreChecked() {
        String wrong = MINIMAL + """
                    connect-timeout: 2d
                    timeout: 2d
                    idle-timeout: 2d
                    total-timeout: 2d
                    concurrency-limit: { max-concurrent: 0, queue: -1 }
                    retry:
                      max-retries: 0
                      budget: { ratio: 11, minimum-per-second: -1, maximum-saved: 0 }
                    circuit-breaker:
                      failure-ratio: 2
                      minimum-throughput: 0
                      sampling-duration: 1ms
                      break-duration: 999999999d
                      probes: 0
                      successes-to-close: 0
                      probe-lease: 999999999d
                """;
        wrong = wrong.replace("[ \"http://127.0.0.1:9101\" ]", "[ { url: \"http://127.0.0.1:9101\", weight: 0 } ]");
        List<Finding> findings = ConfigReader.parse("test", wrong).findings();
        assertThat(findings).hasSize(18);
        for (Finding finding : findings) {
            Matcher allowed = ALLOWED.matcher(finding.toString());
            assertThat(allowed.matches()).as(finding.toString()).isTrue();
            assertThat(rangeOf(allowed.group(1))).as(finding.toString()).isEqualTo(allowed.group(2));
        }
    }

    @Test
    void rangesOfTheAdaptiveLimitAreThoseThatAreChecked() {
        String wrong = MINIMAL + """
                    adaptive-limit:
                      latency-goal: 2d
                      percentile: 1
                      min-limit: 0
                      max-limit: 1000001
                      initial-limit: 2000000
                      window: 2h
                      minimum-samples: 0
                      decrease-factor: 1
                """;
        List<Finding> findings = ConfigReader.parse("test", wrong).findings();
        assertThat(findings).hasSize(8);
        for (Finding finding : findings) {
            Matcher allowed = ALLOWED.matcher(finding.toString());
            assertThat(allowed.matches()).as(finding.toString()).isTrue();
            if (!rangeOf(allowed.group(1)).contains("-limit")) { // and so depends on another one
                assertThat(rangeOf(allowed.group(1))).as(finding.toString()).isEqualTo(allowed.group(2));
            }
        }
    }

    @Test
    void reasonsAreEndingsWithTheirStatus() throws IOException {
        Map<String, List<String>> reasons = rows("| reason | status | what happened | the breaker |");
        Map<String, Integer> statuses = new HashMap<>();
        for (Ending ending : Ending.values()) {
            statuses.put(ending.reason(), ending.status());
        }
        assertThat(reasons).isNotEmpty();
        reasons.forEach((reason, cells) -> {
            assertThat(statuses).containsKey(reason);
            if (statuses.get(reason) != 0) {
                assertThat(cells.get(1)).as(reason).startsWith(String.valueOf(statuses.get(reason)));
            }
        });
    }
}
