package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is unwise is said too, and hinders nobody. */
class ConfigAdviceTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            minimum-throughput: 1   | one failed call opens the circuit: with minimum-throughput 1 it is a ratio of 1, and failure-ratio is 0.5; use a minimum-throughput of 4 or more
            minimum-throughput: 2   | one failed call opens the circuit: with minimum-throughput 2 it is a ratio of 0.5, and failure-ratio is 0.5; use a minimum-throughput of 4 or more
            failure-ratio: 0.1      | one failed call opens the circuit: with minimum-throughput 5 it is a ratio of 0.2, and failure-ratio is 0.1; use a minimum-throughput of 20 or more
            sampling-duration: 9s   | sampling-duration 9s is shorter than twice the timeout of 5s: calls that time out leave the window before enough of them are counted; use 10s or more
            break-duration: 4s      | break-duration 4s is shorter than the timeout of 5s: a service that hangs has a probe hanging in it most of the time; use 5s or more
            probe-lease: 4s         | probe-lease 4s is shorter than the timeout of 5s: probes are given up while their answer can still come; leave it out or use more than the timeout
            """)
    void settingsOfTheBreakerThatDefeatItAreUnwise(String setting, String message) {
        String yaml = YAML.replace("http://a:1\"]", "http://a:1\"], circuit-breaker: {" + setting + "}");
        int column = yaml.lines().skip(2).findFirst().orElseThrow().indexOf(setting) + setting.indexOf(": ") + 3;
        assertThat(warnings(yaml)).containsExactly("c.yaml:3:" + column + ": warning: " + message);
    }

    @Test
    void aTimeoutThatOutlastsTheDefaultsOfTheBreakerIsUnwise() {
        String yaml = YAML.replace("http://a:1\"]", "http://a:1\"], timeout: 40s");
        assertThat(warnings(yaml))
                .hasSize(2)
                .allSatisfy(warning -> assertThat(warning).startsWith("c.yaml:3:57: "));
    }

    @Test
    void clusterToWhichNoRouteLeadsIsUnwise() {
        assertThat(warnings(YAML.replace("} }", "}, b: { destinations: [\"http://b\"] } }")))
                .containsExactly("c.yaml:3:50: warning: no route leads to cluster 'b'; add one or remove the cluster");
    }

    @Test
    void destinationListedTwiceIsUnwise() {
        assertThat(warnings(YAML.replace("\"http://a:1\"", "\"http://a:1\", \"HTTP://A:1\"")))
                .containsExactly(
                        "c.yaml:3:47: warning: destination http://a:1 is listed twice; it gets twice the requests");
    }

    @Test
    void toSayHowLongNobodyMayWaitIsUnwise() {
        String setting = "max-connections: { per-destination: 5, queue: 0, max-wait: 1s }";
        assertThat(warnings(YAML.replace("http://a:1\"]", "http://a:1\"], " + setting)))
                .containsExactly("c.yaml:3:97: warning: max-wait says nothing with queue: 0; leave one of them out");
    }

    @Test
    void aLimitOfAnAddressThatIsNeverReachedIsUnwise() {
        assertThat(warnings(YAML + "clients: { max-connections: 100, max-connections-per-address: 100 }\n"))
                .containsExactly("c.yaml:4:63: warning: max-connections-per-address says nothing, since there may be no"
                        + " more than 100 connections in all; use less or leave it out");
    }

    @Test
    void toChooseWhereThereIsNothingToChooseIsUnwise() {
        assertThat(warnings(YAML.replace("http://a:1\"]", "http://a:1\"], load-balancing: round-robin")))
                .containsExactly(
                        "c.yaml:3:48: warning: load-balancing does nothing with a single destination; add another"
                                + " destination or leave it out");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            consecutive-failures: 1 | one failed request ejects a destination; use 2 consecutive-failures or more
            interval: 1s            | interval does nothing without a failure-ratio; add failure-ratio: 0.5 or leave it out
            minimum-throughput: 9   | minimum-throughput does nothing without a failure-ratio; add failure-ratio: 0.5 or leave it out
            """)
    void anOutlierDetectionThatIsTooHastyOrUselessIsUnwise(String setting, String message) {
        assertThat(warnings(YAML.replace(
                        "http://a:1\"]", "http://a:1\", \"http://b\"], outlier-detection: {" + setting + "}")))
                .singleElement()
                .asString()
                .endsWith(": warning: " + message);
    }

    @Test
    void aCheckThatMayTakeLongerThanItsIntervalIsUnwise() {
        assertThat(warnings(YAML.replace("http://a:1\"]", "http://a:1\"], health-check: { path: /, timeout: 6s }")))
                .containsExactly(
                        "c.yaml:3:82: warning: the timeout of 6s is longer than the interval of 5s: a destination"
                                + " that hangs is asked less often; use a timeout of 5s or less");
    }

    @Test
    void destinationThatIsTheGatewayItselfIsUnwise() {
        assertThat(warnings(
                        YAML.replace("127.0.0.1:0", "127.0.0.1:8080").replace("http://a:1", "http://127.0.0.1:8080")))
                .containsExactly(
                        "c.yaml:3:33: warning: destination http://127.0.0.1:8080 is this gateway itself; requests go"
                                + " round in a circle");
    }

    @Test
    void routeWhoseMethodsAreAllTakenIsUnwise() {
        String yaml = """
                listen: 127.0.0.1:0
                clusters: { a: { destinations: ["http://a:1"] } }
                routes:
                  - { match: { path: /p, methods: [GET, PUT] }, cluster: a }
                  - { match: { path: /p, methods: [POST] }, cluster: a }
                  - { match: { path: /p, methods: [POST, PUT] }, cluster: a }
                  - { match: { path: /p, methods: [POST, DELETE] }, cluster: a }
                  - { match: { path: /p }, cluster: a }
                  - { match: { path: /p, methods: [GET], headers: { x: y } }, cluster: a }
                  - { match: { path: /p, methods: [GET], host: h }, cluster: a }
                """;
        assertThat(warnings(yaml))
                .containsExactly(
                        "c.yaml:6:5: warning: no request can take this route: its methods are all taken by the one in"
                                + " line 5 or before; leave it out");
    }

    @Test
    void methodThatLooksLikeASlipIsUnwise() {
        assertThat(warnings(YAML.replace("path: /p", "methods: [GTE, PURGE]")))
                .containsExactly("c.yaml:2:32: warning: method GTE is unusual; did you mean 'GET'?");
    }

    private static final String YAML = """
            listen: 127.0.0.1:0
            routes: [ { match: { path: /p }, cluster: a } ]
            clusters: { a: { destinations: ["http://a:1"] } }
            """;

    private static List<String> warnings(String yaml) {
        CheckedConfig checked = ConfigReader.parse("c.yaml", yaml);
        assertThat(checked.config()).isPresent();
        return checked.findings().stream().map(Finding::toString).toList();
    }
}
