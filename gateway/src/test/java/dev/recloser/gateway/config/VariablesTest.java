package dev.recloser.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Environment variables in the configuration. */
class VariablesTest {

    private static final String YAML = """
            listen: "%s"
            routes: [ { match: { path: /** }, cluster: service } ]
            clusters:
              service:
                destinations: [ %s ]
                timeout: %s
            """;

    private static CheckedConfig read(String yaml, Map<String, String> environment) {
        return ConfigReader.parse("c.yaml", yaml, environment::get);
    }

    private static GatewayConfig config(String yaml, Map<String, String> environment) {
        CheckedConfig checked = read(yaml, environment);
        assertThat(checked.findings()).isEmpty();
        return checked.config().orElseThrow();
    }

    private static List<String> findings(String yaml, Map<String, String> environment) {
        return read(yaml, environment).findings().stream()
                .map(Finding::toString)
                .toList();
    }

    @Test
    void aVariableIsPartOfAnyValue() {
        GatewayConfig config = config(
                YAML.formatted("${HOST}:${PORT:-8080}", "'http://${HOST}:9101', \"http://${OTHER:-b}\"", "${TIMEOUT}"),
                Map.of("HOST", "10.0.0.1", "TIMEOUT", "4s", "OTHER", ""));
        assertThat(config.listen()).isEqualTo(new HostPort("10.0.0.1", 8080));
        ClusterConfig cluster = config.clusters().get("service");
        assertThat(cluster.destinations())
                .extracting(DestinationConfig::address)
                .containsExactly(new HostPort("10.0.0.1", 9101), new HostPort("b", 80));
        assertThat(cluster.timeout()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void whatIsNotMeantAsAVariableStaysAsItIs() {
        String yaml = """
                listen: 127.0.0.1:0
                routes:
                  - { match: { path: /**, headers: { X-Price: "$5 $${NAME} $$", X-Other: &a "${V}" } }, cluster: service }
                  - { match: { path: /b, headers: { X-Other: *a } }, cluster: service }
                clusters: { service: { destinations: [ "http://a" ] } }
                """;
        List<RouteConfig> routes = config(yaml, Map.of("V", "$${A} ${B} null")).routes();
        assertThat(routes.get(0).headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("x-price", "$5 ${NAME} $$", "x-other", "$${A} ${B} null"));
        assertThat(routes.get(1).headers()).isEqualTo(Map.of("x-other", "$${A} ${B} null"));
    }

    @Test
    void aValueCannotBringMoreThanAValue() {
        String injected = "a } }\n  other: { destinations: [ 'http://b' ]";
        CheckedConfig checked =
                read(YAML.formatted("127.0.0.1:0", "\"http://${HOST}\"", "5s"), Map.of("HOST", injected));
        assertThat(checked.config()).isEmpty();
        assertThat(checked.errors()).hasSize(1);
        assertThat(checked.errors().get(0).line()).isEqualTo(5);
        assertThat(read(YAML.formatted("127.0.0.1:0", "\"http://a\"", "${EMPTY}"), Map.of("EMPTY", ""))
                        .errors())
                .singleElement()
                .asString()
                .contains("timeout is ''");
    }

    @Test
    void whatIsNotSetIsToldOnceWithItsPlace() {
        assertThat(findings(YAML.formatted("127.0.0.1:0", "\"http://${HOST}\"", "${TIMEOUT}"), Map.of()))
                .containsExactly(
                        "c.yaml:5:21: the environment variable of ${HOST} is not set; set it, or write ${HOST:-default}",
                        "c.yaml:6:14: the environment variable of ${TIMEOUT} is not set; set it, or write ${TIMEOUT:-default}");
    }

    @Test
    void whatIsNoVariableIsSaid() {
        for (String wrong : List.of("${", "${}", "${1A}", "${A", "${A-b}", "${A:-${B}}")) {
            assertThat(findings(YAML.formatted("127.0.0.1:0", "\"http://a\"", "\"" + wrong + "\""), Map.of("A", "1s")))
                    .as(wrong)
                    .containsExactly(
                            "c.yaml:6:14: '${' begins no variable here; write ${NAME}, ${NAME:-default}, or $${ for"
                                    + " the characters ${");
        }
    }

    @Test
    void noFindingHasTheValueOfAVariable() {
        Map<String, String> secrets = Map.of(
                "LISTEN", "ftp://s3cret-host:9999",
                "URL", "http://user:pa55word@s3cret.example:x",
                "TIMEOUT", "4711",
                "SHORT", "q",
                "TIMEOUTS", "timeout");
        List<String> findings = findings(
                YAML.formatted("${LISTEN}", "\"${URL}\", \"http://${SHORT}-/${TIMEOUTS}\"", "${TIMEOUT}"), secrets);
        assertThat(findings).hasSize(4);
        assertThat(String.join("\n", findings))
                .doesNotContainIgnoringCase("s3cret", "9999", "user:", "pa55word", "4711", "'q", "/timeout")
                .contains("listen is '${LISTEN}', which is a URL")
                .contains("destination '${URL}'")
                .contains("http://${SHORT}-/${TIMEOUTS}")
                .contains("'${TIMEOUT}', which has no unit");
    }

    @Test
    void aFindingThatQuotesNothingNamesTheVariable() {
        String yaml = """
                listen: 127.0.0.1:0
                routes: [ { match: { path: /**, headers: { X-Key: "${KEY}" } }, cluster: service } ]
                clusters: { service: { destinations: [ "http://a" ] } }
                """;
        assertThat(findings(yaml, Map.of("KEY", " s3cr3t")))
                .singleElement()
                .asString()
                .endsWith("(the value comes from ${KEY})");
    }

    @Test
    void adviceAboutAnotherPlaceHasNoValueEither() {
        String yaml = YAML.formatted("127.0.0.1:0", "\"http://a\"", "${TIMEOUT}")
                + "    circuit-breaker: { sampling-duration: 10s }\n";
        assertThat(read(yaml, Map.of("TIMEOUT", "17s")).warnings())
                .singleElement()
                .asString()
                .contains("twice the timeout of ${TIMEOUT}")
                .doesNotContain("17");
        assertThat(Optional.of(read(yaml, Map.of("TIMEOUT", "5s")).warnings())).contains(List.of());
    }
}
