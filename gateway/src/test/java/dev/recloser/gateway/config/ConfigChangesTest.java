package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes one configuration another one. */
class ConfigChangesTest {

    private static final String YAML = """
            listen: 127.0.0.1:8080
            routes:
              - { match: { path: /a }, cluster: a }
              - { match: { path: /b }, cluster: b }
            clusters:
              a: { destinations: [ "http://127.0.0.1:9101" ] }
              b: { destinations: [ "http://127.0.0.1:9101" ] }
            """;

    private static GatewayConfig read(String yaml) {
        return ConfigReader.parse("c.yaml", yaml).config().orElseThrow();
    }

    private static ConfigChanges changes(String from, String to) {
        return ConfigChanges.between(read(from), read(to));
    }

    @Test
    void theSameTextIsTheSameConfigurationAndSoAreOtherWordsForIt() {
        assertThat(read(YAML)).isEqualTo(read(YAML)).hasSameHashCodeAs(read(YAML));
        assertThat(changes(YAML, YAML).isEmpty()).isTrue();
        assertThat(changes(YAML, YAML + "# a remark\n").describe()).isEqualTo("nothing changed");
        String spelledOut = YAML.replace("9101\" ] }", "9101\" ], timeout: 5000ms, circuit-breaker: { probes: 1 } }");
        assertThat(changes(YAML, spelledOut).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect-timeout: 7s",
                "timeout: 3s",
                "idle-timeout: 7s",
                "circuit-breaker: { failure-ratio: 0.4 }",
                "circuit-breaker: { minimum-throughput: 7 }",
                "circuit-breaker: { sampling-duration: 11s }",
                "circuit-breaker: { break-duration: 31s }",
                "circuit-breaker: { probes: 2 }",
                "circuit-breaker: { successes-to-close: 2 }",
                "circuit-breaker: { probe-lease: 30s }",
                "total-timeout: 20s",
                "max-request-body: 1MiB",
                "rate-limit: { permits: 7 }",
                "concurrency-limit: { max-concurrent: 7 }",
                "adaptive-limit: { latency-goal: 7ms }",
                "max-connections: 7",
                "max-connections: { per-destination: 7, queue: 7 }",
                "max-connections: { per-destination: 7, max-wait: 7s }",
                "retry: { max-retries: 2 }",
                "retry: { max-retries: 1, statuses: [ 503 ] }",
                "retry: { max-retries: 1, budget: { ratio: 0.3 } }",
                "load-balancing: least-requests",
                "protocol: http2",
                "tls: { verify: false }",
                "tls: { server-name: example.com }",
                "outlier-detection: off",
                "outlier-detection: { consecutive-failures: 7 }",
                "outlier-detection: { slow-start: 7s }",
                "health-check: { path: /x }",
                "protocol: http2, health-check: { grpc-service: x }",
                "health-check: { path: /, interval: 7s }",
                "health-check: { path: /, statuses: 200-204 }",
                "health-check: { path: /, probes-circuit: true }"
            })
    void everySettingCounts(String setting) {
        String changed = YAML.replaceFirst("9101\" ]", "9101\" ], " + setting);
        ConfigChanges changes = changes(YAML, changed);
        assertThat(changes.changed()).containsExactly("a");
        assertThat(changes.describe()).isEqualTo("cluster a changed");
    }

    @Test
    void clustersComeAndGoAndRoutesChange() {
        ConfigChanges changes = changes(YAML, YAML.replace(" b: ", " c: ").replace("cluster: b", "cluster: c"));
        assertThat(changes)
                .isEqualTo(new ConfigChanges(List.of("c"), List.of(), List.of("b"), true, false, false, List.of()));
        assertThat(changes.describe()).isEqualTo("cluster c added; cluster b removed; routes changed");
        assertThat(changes(YAML, YAML.replace("9101", "9102")).describe()).isEqualTo("clusters a, b changed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-connections: 7",
                "max-connections-per-address: 7",
                "idle-timeout: 7s",
                "header-timeout: 7s",
                "body-timeout: 7s",
                "stall-timeout: 7s",
                "min-body-rate: 7B",
                "max-request-line: 7KiB",
                "max-request-headers: 7KiB",
                "max-header-fields: 7",
                "allow-encoded-slashes: true",
                "half-close: true"
            })
    void everySettingOfClientsCounts(String setting) {
        ConfigChanges changes = changes(YAML, YAML + "clients: { " + setting + " }\n");
        assertThat(changes.isEmpty()).isFalse();
        assertThat(changes.describe()).isEqualTo("clients changed");
    }

    @Test
    void whatARunningGatewayCannotFollowIsNamed() {
        String other = YAML.replace(
                "listen: 127.0.0.1:8080", "listen: 127.0.0.1:8081\nadmin: 127.0.0.1:9090\naccess-log: stdout");
        ConfigChanges changes = changes(YAML, other);
        assertThat(changes.isEmpty()).isTrue();
        assertThat(changes.fixed()).containsExactly("listen", "admin", "access-log");
    }
}
