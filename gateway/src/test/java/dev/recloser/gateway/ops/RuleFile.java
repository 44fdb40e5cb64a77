package dev.recloser.gateway.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The rules that come with the gateway. */
final class RuleFile {

    static final Path FOLDER = Path.of("..", "ops", "prometheus");
    static final Path RULES = FOLDER.resolve("recloser-alerts.yml");
    static final Path TESTS = FOLDER.resolve("recloser-alerts-test.yml");

    /** The label by which one knows the alerts of {@link #quick}. */
    static final String PACE = "pace";

    private RuleFile() {}

    static List<Rule> read() throws IOException {
        List<Rule> rules = new ArrayList<>();
        for (Map<String, Object> group : maps(yaml(RULES).get("groups"))) {
            maps(group.get("rules")).forEach(rule -> rules.add(rule(rule)));
        }
        return rules;
    }

    private static Rule rule(Map<String, Object> rule) {
        boolean isAlert = rule.containsKey("alert");
        return new Rule(
                (String) rule.get(isAlert ? "alert" : "record"),
                isAlert,
                (String) rule.get("expr"),
                (String) rule.getOrDefault("for", ""),
                texts(rule.get("labels")),
                texts(rule.get("annotations")));
    }

    /**
     * A copy for a test that has no minutes: a minute takes a second, in the ranges and in what must hold for how long. Thresholds stay. So that both can be
     * loaded, its alerts have one more label, and what it records has another name.
     */
    static String quick() throws IOException {
        List<Rule> rules = read();
        List<Map<String, Object>> copies = new ArrayList<>();
        for (Rule rule : rules) {
            Map<String, Object> copy = new LinkedHashMap<>();
            copy.put(rule.isAlert() ? "alert" : "record", rule.isAlert() ? rule.name() : quickName(rule));
            copy.put("expr", quickExpression(rule, rules));
            if (rule.isAlert()) {
                Map<String, String> labels = new LinkedHashMap<>(rule.labels());
                labels.put(PACE, "quick");
                copy.put("for", rule.quickHolding());
                copy.put("labels", labels);
                copy.put("annotations", rule.annotations());
            }
            copies.add(copy);
        }
        return new Yaml().dump(Map.of("groups", List.of(Map.of("name", PACE, "rules", copies))));
    }

    private static String quickName(Rule recorded) {
        return "quick_" + recorded.name();
    }

    private static String quickExpression(Rule rule, List<Rule> rules) {
        String expression = rule.quickExpression();
        for (Rule recorded : rules) {
            if (!recorded.isAlert()) {
                expression = expression.replace(recorded.name(), quickName(recorded));
            }
        }
        return expression;
    }

    static Map<String, Object> yaml(Path file) throws IOException {
        return map(new Yaml().load(Files.readString(file)));
    }

    @SuppressWarnings("unchecked") // the keys of these files are texts
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }

    static List<Map<String, Object>> maps(Object node) {
        return node == null
                ? List.of()
                : ((List<?>) node).stream().map(RuleFile::map).toList();
    }

    private static Map<String, String> texts(Object node) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (node != null) {
            map(node).forEach((key, value) -> texts.put(key, value.toString()));
        }
        return texts;
    }
}
