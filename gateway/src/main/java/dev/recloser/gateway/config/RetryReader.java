package dev.recloser.gateway.config;

import dev.recloser.RetryBudgetBuilder;
import dev.recloser.gateway.config.Section.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Node;

/** Reads which requests of a cluster are tried again. */
final class RetryReader {

    static final String NAME = "retry";

    private static final Set<String> KEYS = Set.of("max-retries", "statuses", "budget");
    private static final Set<String> BUDGET_KEYS = Set.of("ratio", "minimum-per-second", "maximum-saved");
    private static final Pattern STATUS = Pattern.compile("429|5\\d\\d");
    private static final int MOST_RETRIES = 10;

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
