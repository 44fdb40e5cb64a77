package dev.recloser.gateway.config;

import dev.recloser.RetryBudgetBuilder;
import dev.recloser.gateway.config.Section.Entry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads which requests of a cluster are tried again. */
final class RetryReader {

    static final String NAME = "retry";

    private static final Pattern STATUS = Pattern.compile("429|5\\d\\d");
    private static final int MOST_RETRIES = 10;
    private static final int MOST_SAVED = 1_000_000;

    private static final Keys BUDGET_KEYS = Keys.NONE
            .optional(
                    "ratio",
                    Shape.number(0, 10).byDefault(RetryConfig.NONE.budgetRatio()),
                    "retries that each request allows")
            .optional(
                    "minimum-per-second",
                    Shape.number(0, MOST_SAVED).byDefault(RetryConfig.NONE.budgetMinimumPerSecond()),
                    "retries that each second allows")
            .optional(
                    "maximum-saved",
                    Shape.number(1, MOST_SAVED).byDefault(RetryConfig.NONE.budgetMaximumSaved()),
                    "retries that are saved up at most");

    static final Keys KEYS = Keys.NONE
            .required(
                    "max-retries",
                    Shape.wholeNumber(1, MOST_RETRIES).example(1),
                    "how often at most, after the first attempt")
            .optional(
                    "statuses",
                    Shape.listOf(Shape.text("429|5\\d\\d")
                            .with("type", List.of("integer", "string"))
                            .with("minimum", 429)
                            .with("maximum", 599)),
                    "answers that are not passed on while another attempt is possible: 429, and those from 500 to 599")
            .optional(
                    "budget",
                    Shape.mapping(BUDGET_KEYS),
                    "how much traffic retries may add to this cluster, whatever max-retries says");

    private final Findings findings;
    private final Scalars scalars;
    private final Ranges ranges;

    RetryReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
        this.ranges = new Ranges(findings);
    }

    RetryConfig read(Section cluster) {
        return cluster.optional(NAME)
                .flatMap(entry -> Section.of(NAME, entry.keyNode(), entry.value(), findings))
                .map(section -> settings(section.allow(KEYS)))
                .orElse(RetryConfig.NONE);
    }

    private RetryConfig settings(Section given) {
        given.required("max-retries", "1");
        int retries = ranges.wholeNumber(given, "max-retries", MOST_RETRIES, 1);
        Set<Integer> statuses = new TreeSet<>();
        given.optional("statuses").ifPresent(entry -> statuses(entry, statuses));
        Budget budget = given.optional("budget").map(this::budget).orElseGet(Budget::new);
        return new RetryConfig(retries, statuses, budget.ratio, budget.minimumPerSecond, budget.maximumSaved);
    }

    private void statuses(Entry entry, Set<Integer> statuses) {
        for (Node node : scalars.list(entry, "[ 503 ]")) {
            Optional<String> text = scalars.text("a status", node);
            if (text.isPresent() && !STATUS.matcher(text.get()).matches()) {
                findings.error(
                        node,
                        "'" + text.get()
                                + "' is no status that says that another attempt may help; write 429, or one from 500 to 599");
            } else {
                text.ifPresent(status -> statuses.add(Integer.valueOf(status)));
            }
        }
    }

    private static final class Budget {
        double ratio = RetryConfig.NONE.budgetRatio();
        double minimumPerSecond = RetryConfig.NONE.budgetMinimumPerSecond();
        double maximumSaved = RetryConfig.NONE.budgetMaximumSaved();

        RetryBudgetBuilder builder() {
            return new RetryBudgetBuilder()
                    .ratio(ratio)
                    .minimumPerSecond(minimumPerSecond)
                    .maximumSaved(maximumSaved);
        }
    }

    private Budget budget(Entry entry) {
        Budget budget = new Budget();
        StrategySettings.of(entry, BUDGET_KEYS, findings)
                .ifPresent(settings -> settings.decimal("ratio", value -> budget.ratio = value)
                        .decimal("minimum-per-second", value -> budget.minimumPerSecond = value)
                        .decimal("maximum-saved", value -> budget.maximumSaved = value)
                        .work(check -> budget.builder().check(check)));
        return budget;
    }
}
