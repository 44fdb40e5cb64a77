package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.circuitbreaker.FailureRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a configuration that is right becomes. */
class ConfigReaderTest {

    @Test
    void whatAFileHasHeldIsCheckedLikeTheFile() {
        assertThat(ConfigReader.parse("c.yaml", new byte[3_000_001]).findings())
                .singleElement()
                .asString()
                .isEqualTo("c.yaml: has more than 3 MB; that is no configuration");
        assertThat(ConfigReader.parse("c.yaml", new byte[] {'a', (byte) 0xff}).findings())
                .singleElement()
                .asString()
                .startsWith("c.yaml:1:2: is not UTF-8");
    }

    @Test
    void exampleIsRightAndWise() {
        CheckedConfig checked = ConfigReader.read(example());
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.config()).isPresent();
    }

    @Test
    void everySettingOfTheExampleIsRead() {
        GatewayConfig config = ConfigReader.read(example()).config().orElseThrow();
        assertThat(config.listen()).isEqualTo(new HostPort("127.0.0.1", 8080));
        assertThat(config.admin()).contains(new AdminConfig(new HostPort("127.0.0.1", 9090)));
        assertThat(config.routes())
                .containsExactly(
                        new RouteConfig(
                                Optional.of("/accounts/**"), Optional.empty(), Set.of(), Map.of(), "account-service"),
                        new RouteConfig(
                                Optional.of("/transfers/**"),
                                Optional.of("pay.example.com"),
                                Set.of("GET", "POST"),
                                Map.of(),
                                "transfer-service"));
        ClusterConfig accounts = config.clusters().get("account-service");
        assertThat(accounts.destinations())
                .containsExactly(
                        new DestinationConfig(new HostPort("127.0.0.1", 9101)),
                        new DestinationConfig(new HostPort("127.0.0.1", 9102)));
        assertThat(accounts.connectTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(accounts.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(accounts.idleTimeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        ClusterConfig cluster = cluster("");
        assertThat(cluster.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(cluster.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(cluster.idleTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(cluster.balancing()).isEqualTo(BalancingConfig.USUAL);
        assertThat(cluster.circuitBreaker().failureRule())
                .isEqualTo(new FailureRule.Ratio(0.5, 5, Duration.ofSeconds(10)));
        assertThat(cluster.circuitBreaker().breakDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(cluster.circuitBreaker().probes()).isEqualTo(1);
        assertThat(cluster.circuitBreaker().successesToClose()).isEqualTo(1);
        assertThat(cluster.circuitBreaker().probesAgainWhenInconclusive()).isTrue();
    }

    @Test
    void everySettingOfTheBreakerIsRead() {
        ClusterConfig cluster =
                cluster("circuit-breaker: { failure-ratio: .25, minimum-throughput: 20, sampling-duration: 1m,"
                        + " break-duration: 1500ms, probes: 2, successes-to-close: 3, probe-lease: 1h }");
        assertThat(cluster.circuitBreaker().failureRule())
                .isEqualTo(new FailureRule.Ratio(0.25, 20, Duration.ofMinutes(1)));
        assertThat(cluster.circuitBreaker().breakDuration()).isEqualTo(Duration.ofMillis(1500));
        assertThat(cluster.circuitBreaker().probes()).isEqualTo(2);
        assertThat(cluster.circuitBreaker().successesToClose()).isEqualTo(3);
        assertThat(cluster.circuitBreaker().probeLease()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void probeKeepsItsPlaceAsLongAsItsAnswerCanTake() {
        ClusterConfig cluster = cluster("connect-timeout: 10s, timeout: 1m, circuit-breaker: { break-duration: 1s }");
        assertThat(cluster.circuitBreaker().probeLease()).isEqualTo(Duration.ofSeconds(10 + 60 + 1));
    }

    @Test
    void namesOfHostsAndHeadersAreReadInLowerCase() {
        GatewayConfig config = config(YAML.formatted("host: Pay.Example.COM, headers: { X-Version: 2 }", ""));
        assertThat(config.routes().get(0).host()).contains("pay.example.com");
        assertThat(config.routes().get(0).headers()).containsExactly(Map.entry("x-version", "2"));
    }

    @Test
    void wordsStayWhatIsWritten() {
        GatewayConfig config = config(YAML.formatted("headers: { beta: yes, octal: 010, empty: \"\" }", ""));
        assertThat(config.routes().get(0).headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("beta", "yes", "octal", "010", "empty", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9101, 127.0.0.1, 9101",
        "HTTP://Example.com, example.com, 80",
        "http://[::1]:9101, ::1, 9101",
        "http://[::1], ::1, 80",
        "http://my_service-1.local:1, my_service-1.local, 1",
    })
    void destinationIsAHostAndAPort(String url, String host, int port) {
        GatewayConfig config = config(YAML.formatted("path: /**", "").replace("http://a:1", url));
        assertThat(config.clusters().get("a").destinations())
                .containsExactly(new DestinationConfig(new HostPort(host, port)));
    }

    @Test
    void destinationMayHaveAWeight() {
        GatewayConfig config = config(YAML.formatted("path: /**", "")
                .replace("\"http://a:1\"", "http://a:1, { url: \"http://b:2\", weight: 1000 }, { url: http://c }"));
        assertThat(config.clusters().get("a").destinations())
                .containsExactly(
                        new DestinationConfig(new HostPort("a", 1), 1),
                        new DestinationConfig(new HostPort("b", 2), 1000),
                        new DestinationConfig(new HostPort("c", 80), 1));
    }

    @Test
    void everySettingOfTheOutlierDetectionIsRead() {
        assertThat(cluster("outlier-detection: { consecutive-failures: 3, failure-ratio: 0.4, minimum-throughput: 50,"
                                + " interval: 1m, ejection-time: 5s, max-ejection-time: 1m, max-ejected-ratio: 0.3,"
                                + " slow-start: 20s }")
                        .balancing()
                        .outlierDetection())
                .contains(new OutlierDetectionConfig(
                        3,
                        OptionalDouble.of(0.4),
                        50,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(1),
                        0.3,
                        Duration.ofSeconds(20)));
        assertThat(cluster("outlier-detection: off").balancing().outlierDetection())
                .isEmpty();
        assertThat(cluster("outlier-detection: { ejection-time: 10m }")
                        .balancing()
                        .outlierDetection()
                        .orElseThrow()
                        .maxEjectionTime())
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void everySettingOfTheHealthCheckIsRead() {
        assertThat(cluster("health-check: { path: \"/up?deep=1\", interval: 2s, timeout: 500ms, healthy-after: 1,"
                                + " unhealthy-after: 4, statuses: 200-399, probes-circuit: true }")
                        .balancing()
                        .healthCheck())
                .contains(new HealthCheckConfig(
                        "/up?deep=1",
                        Optional.empty(),
                        Duration.ofSeconds(2),
                        Duration.ofMillis(500),
                        1,
                        4,
                        new HealthCheckConfig.Statuses(200, 399),
                        true));
        assertThat(cluster("health-check: { path: / , statuses: 204 }")
                        .balancing()
                        .healthCheck())
                .contains(new HealthCheckConfig(
                        "/",
                        Optional.empty(),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(1),
                        2,
                        3,
                        new HealthCheckConfig.Statuses(204, 204),
                        false));
    }

    @Test
    void probeKeepsItsPlaceAsLongAsACheckCanTake() {
        ClusterConfig cluster = cluster(
                "timeout: 1s, health-check: { path: /, interval: 1m, timeout: 1m }, circuit-breaker: { break-duration: 1s }");
        assertThat(cluster.circuitBreaker().probeLease()).isEqualTo(Duration.ofSeconds(61));
    }

    @ParameterizedTest
    @CsvSource({
        "round-robin, ROUND_ROBIN",
        "least-requests, LEAST_REQUESTS",
        "power-of-two-choices, POWER_OF_TWO_CHOICES"
    })
    void requestsAreSharedAsIsSaid(String written, LoadBalancing policy) {
        assertThat(cluster("load-balancing: " + written).balancing().policy()).isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource({
        "/",
        "/**",
        "/a",
        "/a/",
        "/a/**",
        "/a/b-c_d~e.f/**",
        "/caf%C3%A9/**",
        "/a;v=1/@b:c",
        "//a",
        "/%61",
        "/.a/..b"
    })
    void pathPatternsAreTakenAsTheyAreWritten(String path) {
        assertThat(config(YAML.formatted("path: \"" + path + "\"", ""))
                        .routes()
                        .get(0)
                        .path())
                .contains(path);
    }

    @Test
    void byteOrderMarkIsNoPartOfTheText() {
        assertThat(ConfigReader.parse("c.yaml", "\uFEFF" + YAML.formatted("path: /**", ""))
                        .config())
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            500 | 500ms
            1000 | 1s
            1500 | 1500ms
            90000 | 90s
            120000 | 2m
            3600000 | 1h
            86400000 | 1d
            0 | 0ms
            """)
    void durationsAreWrittenAsTheyAreRead(long millis, String written) {
        assertThat(Durations.write(Duration.ofMillis(millis))).isEqualTo(written);
        if (millis > 0) {
            assertThat(cluster("timeout: " + written).timeout()).isEqualTo(Duration.ofMillis(millis));
        }
    }

    @Test
    void mistakesLeaveNoConfiguration() {
        assertThat(ConfigReader.parse("c.yaml", YAML.formatted("path: x", "")).config())
                .isEmpty();
    }

    private static final String YAML = """
            listen: 127.0.0.1:0
            routes: [ { match: { %s }, cluster: a } ]
            clusters: { a: { destinations: [ "http://a:1" ], %s } }
            """;

    private static ClusterConfig cluster(String settings) {
        return config(YAML.formatted("path: /**", settings)).clusters().get("a");
    }

    private static GatewayConfig config(String yaml) {
        CheckedConfig checked = ConfigReader.parse("c.yaml", yaml);
        assertThat(checked.errors()).isEmpty();
        return checked.config().orElseThrow();
    }

    private static Path example() {
        return List.of(Path.of("examples/gateway.yaml"), Path.of("gateway/examples/gateway.yaml")).stream()
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }
}
