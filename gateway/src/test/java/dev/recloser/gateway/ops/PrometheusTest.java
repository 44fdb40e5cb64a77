package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recloser.gateway.ops.GrafanaDashboard.Query;
import dev.recloser.gateway.proxy.TestIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway in an {@link Incident}, watched by a real Prometheus. It has the configuration that the documentation gives, with the
 * project's rules, but looks twice a second; and a {@linkplain RuleFile#quick copy of the rules} in which a minute takes a second.
 */
@Tag("once")
@Timeout(60)
class PrometheusTest {

    private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
    private static final Pattern CONFIG = Pattern.compile("(?s)```yml\n(.*?)```");
    private static final Pattern SELECTOR = Pattern.compile("(?<![:\\w])(?:recloser_[a-z_]+|up)\\b(?!:)(?:\\{[^}]*})?");
    private static final Pattern VARIABLE = Pattern.compile("label_values\\((.*), ([a-z]+)\\)");
    private static final Duration BOUND = Duration.ofSeconds(40);

    @TempDir
    static Path folder;

    private static Incident incident;
    private static Prometheus prometheus;

    @BeforeAll
    static void driveTheIncidentUntilItIsAnAlert() throws Exception {
        Program.installed("prometheus");
        incident = new Incident(new TestIdentity(folder, "gateway", "EC", "dns:localhost"));
        prometheus = Prometheus.start(folder, config());
        awaitAlert("RecloserCircuitOpen", Incident.FAILING);
        awaitAlert("RecloserErrorBudgetFastBurn", Incident.FAILING);
    }

    @AfterAll
    static void stop() {
        if (prometheus != null) {
            prometheus.close();
        }
        if (incident != null) {
            incident.close();
        }
    }

    private static Path config() throws IOException {
        Files.copy(RuleFile.RULES, folder.resolve("recloser-alerts.yml"));
        Files.writeString(folder.resolve("quick.yml"), RuleFile.quick());
        String config = documentedConfig();
        config = replace(config, "15s", "500ms");
        config = replace(config, "[ recloser-alerts.yml ]", "[ recloser-alerts.yml, quick.yml ]");
        config = replace(config, "127.0.0.1:9090", incident.target());
        return Files.writeString(folder.resolve("prometheus.yml"), config);
    }

    private static String documentedConfig() throws IOException {
        return CONFIG.matcher(Files.readString(OPERATIONS))
                .results()
                .map(block -> block.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static String replace(String text, String what, String by) {
        assertThat(text).contains(what);
        return text.replace(what, by);
    }

    private static void awaitAlert(String name, String cluster) throws Exception {
        long end = System.nanoTime() + BOUND.toNanos();
        String alert =
                "ALERTS{alertstate='firing', alertname='%s', cluster='%s', pace='quick'}".formatted(name, cluster);
        while (prometheus.now(alert).isEmpty()) {
            assertThat(System.nanoTime())
                    .as(() -> alert + " fires; there are " + alerts())
                    .isLessThan(end);
            Thread.sleep(100);
        }
    }

    private static String alerts() {
        try {
            return prometheus.now("ALERTS") + "\n" + prometheus.log() + "\n" + incident.scrape();
        } catch (IOException | InterruptedException e) {
            return e.toString();
        }
    }

    @Test
    void metricsAreScrapedWithoutErrors() throws Exception {
        JsonNode targets = prometheus.data("/api/v1/targets?state=active").get("activeTargets");
        assertThat(targets).hasSize(1);
        JsonNode target = targets.get(0);
        assertThat(target.get("health").asText()).as(target.toString()).isEqualTo("up");
        assertThat(target.get("lastError").asText()).isEmpty();
        assertThat(prometheus.log()).doesNotContain("level=error", "level=warn");
    }

    @Test
    void promtoolHasNothingToSayAgainstTheMetrics() throws Exception {
        Program.Verdict verdict = Program.promtool(folder, incident.scrape(), "check", "metrics");
        assertThat(verdict.output()).isEmpty();
        assertThat(verdict.exitCode()).isZero();
    }

    @Test
    void promtoolTakesTheDocumentedConfiguration() throws Exception {
        Path documented = Files.writeString(folder.resolve("documented.yml"), documentedConfig());
        Program.Verdict verdict = Program.promtool(folder, "", "check", "config", documented.toString());
        assertThat(verdict.exitCode()).as(verdict.output()).isZero();
    }

    @Test
    void everyRuleIsEvaluatedWithoutErrors() throws Exception {
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group : prometheus.data("/api/v1/rules").get("groups")) {
            group.get("rules").forEach(rules::add);
        }
        assertThat(rules).hasSize(2 * RuleFile.read().size());
        assertThat(rules)
                .allSatisfy(rule -> assertThat(rule.get("health").asText())
                        .as(rule.toString())
                        .isEqualTo("ok"));
    }

    @TestFactory
    List<DynamicTest> everySelectorOfARuleFindsSeries() throws IOException {
        Set<String> selectors = RuleFile.read().stream()
                .flatMap(rule -> SELECTOR.matcher(rule.expression()).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(selectors).hasSizeGreaterThan(10);
        return selectors.stream()
                .map(selector -> DynamicTest.dynamicTest(
                        selector,
                        () -> assertThat(prometheus.now(selector)).as(selector).isNotEmpty()))
                .toList();
    }

    @TestFactory
    List<DynamicTest> everyQueryOfTheDashboardFindsNumbers() throws IOException {
        return GrafanaDashboard.queries(GrafanaDashboard.read()).stream()
                .map(query -> DynamicTest.dynamicTest(
                        query.where(),
                        () -> assertThat(numbers(query)).as(query.expression()).isNotEmpty()))
                .toList();
    }

    private static List<Double> numbers(Query query) throws Exception {
        JsonNode found =
                query.instant() ? prometheus.now(query.expression()) : prometheus.lately(query.expression(), 10);
        List<Double> numbers = new ArrayList<>();
        for (JsonNode series : found) {
            Iterable<JsonNode> points = series.has("values") ? series.get("values") : List.of(series.get("value"));
            points.forEach(point -> numbers.add(Double.valueOf(point.get(1).asText())));
        }
        numbers.removeIf(number -> number.isNaN());
        return numbers;
    }

    @TestFactory
    List<DynamicTest> everyVariableOfTheDashboardHasValues() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode variable : GrafanaDashboard.read().at("/templating/list")) {
            if (variable.get("type").asText().equals("query")) {
                String query = variable.get("definition").asText();
                tests.add(DynamicTest.dynamicTest(
                        query, () -> assertThat(values(query)).as(query).isNotEmpty()));
            }
        }
        return tests;
    }

    private static Set<String> values(String query) throws Exception {
        MatchResult asked = VARIABLE.matcher(query).results().findFirst().orElseThrow();
        String selector = asked.group(1).replaceAll("\\$[a-z]+", ".*");
        Set<String> values = new TreeSet<>();
        for (JsonNode series : prometheus.now(selector)) {
            values.add(series.get("metric").path(asked.group(2)).asText());
        }
        values.remove("");
        return values;
    }

    @Test
    void clustersThatAreWellAndThoseThatNobodyCallsAlertNobody() throws Exception {
        assertThat(clustersOf("ALERTS{cluster!='', alertname!='RecloserServiceNearTimeout'}"))
                .isSubsetOf(Incident.FAILING, Incident.DOWN, Incident.ISOLATED);
        assertThat(clustersOf("ALERTS{alertname='RecloserServiceNearTimeout'}")).isSubsetOf(Incident.WELL);
    }

    @Test
    void isolatedClusterIsKeptInMind() throws Exception {
        assertThat(clustersOf("ALERTS{alertname='RecloserCircuitIsolated'}")).containsExactly(Incident.ISOLATED);
    }

    private static Set<String> clustersOf(String alerts) throws Exception {
        Set<String> clusters = new TreeSet<>();
        for (JsonNode alert : prometheus.now(alerts)) {
            clusters.add(alert.get("metric").path("cluster").asText());
        }
        return clusters;
    }
}
