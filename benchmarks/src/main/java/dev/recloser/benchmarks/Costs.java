package dev.recloser.benchmarks;

import dev.recloser.benchmarks.JmhRounds.Subject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What was measured, and how the subjects compare. */
public final class Costs {

    private final Map<Subject, Cost> costs;

    Costs(Map<Subject, Cost> costs) {
        this.costs = Map.copyOf(costs);
    }

    /**
     * What one call costs.
     *
     * @param nanos how long it takes
     * @param bytes how much it allocates
     */
    public record Cost(Series nanos, Series bytes) {}

    /** The cost of one subject. */
    public Cost of(Subject subject) {
        Cost cost = costs.get(subject);
        if (cost == null) {
            throw new IllegalArgumentException("not measured: " + subject);
        }
        return cost;
    }

    /** How many times as long as the other the one takes: the median over the rounds. */
    public double ratio(Subject subject, Subject other) {
        return of(subject).nanos().over(of(other).nanos());
    }

    /** Of several the one that takes the least time. */
    public Subject fastest(List<Subject> subjects) {
        return subjects.stream()
                .min(Comparator.comparingDouble(subject -> of(subject).nanos().median()))
                .orElseThrow();
    }

    /** A row for each subject. */
    public Table table(String title, List<Subject> subjects) {
        Table table = new Table(title, "ns/call", "lowest", "highest", "B/call");
        for (Subject subject : subjects) {
            Cost cost = of(subject);
            table.row(
                    "  " + subject.name(),
                    Table.number(cost.nanos().median(), 1),
                    Table.number(cost.nanos().min(), 1),
                    Table.number(cost.nanos().max(), 1),
                    Table.number(cost.bytes().median(), 1));
        }
        return table;
    }
}
