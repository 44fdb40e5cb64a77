package dev.recloser;

import dev.recloser.spi.Continuation;
import dev.recloser.spi.Race;
import dev.recloser.spi.Strategy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Tells the budgets of a pipeline of its calls. What enters a strategy that stands inside one that repeats is an attempt and not a call,
 * and two of them may spend from one budget. So the outermost counts, for the budgets of all, and the others do not.
 */
final class CallCount {

    private CallCount() {}

    /**
     * The strategy as the drivers are to see it: it counts for these budgets, each once, and for no other.
     *
     * @param strategy the strategy
     * @param own the budget for which it counts by itself, if there is one
     * @param budgets the budgets
     */
    static Strategy of(Strategy strategy, Optional<RetryBudget> own, Collection<RetryBudget> budgets) {
        List<RetryBudget> counted = List.copyOf(budgets);
        if (counted.equals(own.stream().toList())) {
            return strategy;
        }
        if (strategy instanceof Continuation continuation) {
            return new CountingContinuation(continuation, counted);
        }
        return strategy instanceof Race race ? new CountingRace(race, counted) : strategy;
    }

    private static void count(List<RetryBudget> budgets) {
        for (RetryBudget budget : budgets) {
            budget.called();
        }
    }

    private record CountingContinuation(Continuation strategy, List<RetryBudget> budgets) implements Continuation {

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public void entered() {
            count(budgets);
        }

        @Override
        public Course begin(CallContext context) {
            return strategy.begin(context);
        }
    }

    private record CountingRace(Race strategy, List<RetryBudget> budgets) implements Race {

        @Override
        public String name() {
            return strategy.name();
        }

        @Override
        public void entered() {
            count(budgets);
        }

        @Override
        public Contest begin(CallContext context) {
            return strategy.begin(context);
        }
    }
}
