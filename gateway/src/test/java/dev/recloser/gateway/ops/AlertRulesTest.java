package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules by themselves: that they are valid, do what their own tests say, and are explained. */
@Tag("once")
@Timeout(60)
class AlertRulesTest {

    private static final Path RUNBOOK = Path.of("..", "docs", "operations.md");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    @TempDir
    Path folder;

    @Test
    void rulesAreValid() throws Exception {
        Program.Verdict verdict = Program.promtool(folder, "", "check", "rules", RuleFile.RULES.toString());
        assertThat(verdict.exitCode()).as(verdict.output()).isZero();
        assertThat(verdict.output())
                .contains("SUCCESS: " + RuleFile.read().size() + " rules found")
                .doesNotContainIgnoringCase("warning", "error", "duplicate");
    }

    @Test
    void rulesDoWhatTheirTestsSay() throws Exception {
        Program.Verdict verdict = Program.promtool(folder, "", "test", "rules", RuleFile.TESTS.toString());
        assertThat(verdict.exitCode()).as(verdict.output()).isZero();
    }

    @Test
    void everyAlertIsTestedWhereItFiresAndWhereItDoesNot() throws IOException {
        List<Map<String, Object>> cases = RuleFile.maps(
                        RuleFile.yaml(RuleFile.TESTS).get("tests"))
                .stream()
                .flatMap(test -> RuleFile.maps(test.get("alert_rule_test")).stream())
                .toList();
        assertThat(tested(cases, true)).isEqualTo(alerts());
        assertThat(tested(cases, false)).isEqualTo(alerts());
    }

    private static Set<String> tested(List<Map<String, Object>> cases, boolean fires) {
        return cases.stream()
                .filter(test -> RuleFile.maps(test.get("exp_alerts")).isEmpty() != fires)
                .map(test -> (String) test.get("alertname"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyAlertSaysWhatIsWrongHowBadItIsAndWhatToDo() throws IOException {
        Set<String> anchors = HEADING.matcher(Files.readString(RUNBOOK))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        for (Rule alert : RuleFile.read().stream().filter(Rule::isAlert).toList()) {
            assertThat(alert.labels().get("severity")).as(alert.name()).isIn("critical", "warning");
            assertThat(alert.holding()).as(alert.name()).isNotEmpty();
            assertThat(alert.annotations()).as(alert.name()).containsOnlyKeys("summary", "description", "runbook");
            assertThat(alert.annotations().get("description")).as(alert.name()).contains("{{ $labels.");
            String anchor = alert.name().toLowerCase(Locale.ROOT);
            assertThat(alert.annotations().get("runbook")).isEqualTo("docs/operations.md#" + anchor);
            assertThat(anchors).contains(anchor);
        }
    }

    @Test
    void runbookTellsOfNoOtherAlerts() throws IOException {
        Set<String> told = HEADING.matcher(Files.readString(RUNBOOK))
                .results()
                .map(heading -> heading.group(1))
                .filter(heading -> heading.startsWith("Recloser"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(told).isEqualTo(alerts());
    }

    private static Set<String> alerts() throws IOException {
        return RuleFile.read().stream()
                .filter(Rule::isAlert)
                .map(Rule::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
