package dev.recloser.circuitbreaker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Says when a rule opens the circuit by going through a list of everything that happened. */
abstract class NaiveWindow {

    /** What happened: when, and whether it counts against the dependency. */
    record Entry(long time, boolean bad) {}

    final List<Entry> entries = new ArrayList<>();

    void record(long now, boolean bad) {
        entries.add(new Entry(now, bad));
    }

    /** What counts at this time. */
    abstract Tally tally(long now);

    /** Whether the outcome recorded last completes the condition. */
    abstract boolean opens(long now);

    final Tally tallyOf(Predicate<Entry> counts) {
        entries.removeIf(entry -> !counts.test(entry));
        return new Tally(entries.size(), entries.stream().filter(Entry::bad).count());
    }

    /** The same slices as the real one, found by division. */
    static final class Ratio extends NaiveWindow {

        private final FailureRule.Ratio rule;
        private final long origin;
        private final long width;

        Ratio(FailureRule.Ratio rule, long origin) {
            this.rule = rule;
            this.origin = origin;
            this.width = rule.samplingDuration().toNanos() / TimeWindow.SLICES;
        }

        private long slice(long time) {
            return (time - origin) / width;
        }

        @Override
        Tally tally(long now) {
            long oldest = slice(now) - TimeWindow.SLICES + 1;
            return tallyOf(entry -> slice(entry.time()) >= oldest);
        }

        @Override
        boolean opens(long now) {
            Tally tally = tally(now);
            return tally.failures() > 0
                    && tally.calls() >= rule.minimumThroughput()
                    && (double) tally.failures() / tally.calls() >= rule.ratio();
        }
    }

    static final class Count extends NaiveWindow {

        private final FailureRule.Count rule;

        Count(FailureRule.Count rule) {
            this.rule = rule;
        }

        @Override
        Tally tally(long now) {
            while (entries.size() > rule.of()) {
                entries.remove(0);
            }
            List<Entry> young = entries.stream()
                    .filter(entry -> now - entry.time() <= rule.within().toNanos())
                    .toList();
            return new Tally(young.size(), young.stream().filter(Entry::bad).count());
        }

        @Override
        boolean opens(long now) {
            return tally(now).failures() >= rule.failures()
                    && entries.get(entries.size() - 1).bad();
        }
    }

    static final class Consecutive extends NaiveWindow {

        private final FailureRule.Consecutive rule;

        Consecutive(FailureRule.Consecutive rule) {
            this.rule = rule;
        }

        @Override
        Tally tally(long now) {
            int row = 0;
            while (row < entries.size() && entries.get(entries.size() - 1 - row).bad()) {
                row++;
            }
            if (row == 0) {
                entries.clear();
            }
            return new Tally(row, row);
        }

        @Override
        boolean opens(long now) {
            return tally(now).failures() >= rule.failures();
        }
    }
}
