package dev.recloser.gateway.proxy;

import dev.recloser.gateway.config.LoadBalancing;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Chooses among the destinations of a cluster, for one event loop. */
abstract class Balancer {

    /** There is nothing left to choose. */
    static final int NONE = -1;

    final List<Destination> destinations;

    /** What each counts for in this choice; 0 for those that do not take part. */
    final double[] weights;

    private Balancer(List<Destination> destinations) {
        this.destinations = destinations;
        this.weights = new double[destinations.size()];
    }

    /**
     * A balancer.
     *
     * @param skipped how many turns to skip at the beginning, where they take turns
     */
    static Balancer of(LoadBalancing policy, List<Destination> destinations, int skipped) {
        return switch (policy) {
            case ROUND_ROBIN -> new RoundRobin(destinations, turns(destinations, skipped));
            case LEAST_REQUESTS -> new LeastRequests(destinations, turns(destinations, skipped));
            case POWER_OF_TWO_CHOICES ->
                new TwoChoices(destinations, () -> ThreadLocalRandom.current().nextDouble());
        };
    }

    private static WeightedTurns turns(List<Destination> destinations, int skipped) {
        WeightedTurns turns = new WeightedTurns(destinations.size());
        turns.skip(
                skipped, destinations.stream().mapToDouble(Destination::weight).toArray());
        return turns;
    }

    /**
     * The number of a destination that was not tried: of those that are well, or where none is, of all.
     *
     * @param tried the numbers of those that were tried
     */
    int choose(@Nullable BitSet tried, long now) {
        return weigh(tried, now, true) || weigh(tried, now, false) ? pick() : NONE;
    }

    /** The number of a destination that was not tried and is well. */
    int chooseWell(BitSet tried, long now) {
        return weigh(tried, now, true) ? pick() : NONE;
    }

    /** Whether any takes part. */
    private boolean weigh(@Nullable BitSet tried, long now, boolean byHealth) {
        boolean any = false;
        for (int i = 0; i < weights.length; i++) {
            Destination destination = destinations.get(i);
            double share = byHealth ? destination.health().share(now) : 1;
            weights[i] = tried != null && tried.get(i) ? 0 : destination.weight() * share;
            any |= weights[i] > 0;
        }
        return any;
    }

    /** One whose weight is not 0. */
    abstract int pick();

    /** How busy one is for its weight. */
    final double load(int index) {
        return destinations.get(index).underway().count() / weights[index];
    }

    /** They take turns. */
    private static final class RoundRobin extends Balancer {

        private final WeightedTurns turns;

        private RoundRobin(List<Destination> destinations, WeightedTurns turns) {
            super(destinations);
            this.turns = turns;
        }

        @Override
        int pick() {
            return turns.next(weights);
        }
    }

    /** The least busy one; those that are equally busy take turns. */
    private static final class LeastRequests extends Balancer {

        private final WeightedTurns turns;
        private final double[] loads;

        private LeastRequests(List<Destination> destinations, WeightedTurns turns) {
            super(destinations);
            this.turns = turns;
            loads = new double[destinations.size()];
        }

        @Override
        int pick() {
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < loads.length; i++) {
                loads[i] = weights[i] > 0 ? load(i) : Double.POSITIVE_INFINITY;
                least = Math.min(least, loads[i]);
            }
            for (int i = 0; i < loads.length; i++) {
                if (loads[i] > least) {
                    weights[i] = 0;
                }
            }
            return turns.next(weights);
        }
    }

    /**
     * Two are drawn by lot, each as probably as its weight says, and the less busy one is taken. That is nearly as even as to look at
     * all of them (Mitzenmacher, The Power of Two Choices in Randomized Load Balancing, 2001), and does not send the requests of all
     * event loops to the same destination.
     */
    static final class TwoChoices extends Balancer {

        private final DoubleSupplier random;

        /**
         * A balancer by lot.
         *
         * @param random from 0 to 1, 1 excluded
         */
        TwoChoices(List<Destination> destinations, DoubleSupplier random) {
            super(destinations);
            this.random = random;
        }

        @Override
        int pick() {
            int first = draw();
            double load = load(first);
            weights[first] = 0;
            int second = draw();
            return second == NONE || load <= load(second) ? first : second;
        }

        private int draw() {
            double total = 0;
            for (double weight : weights) {
                total += weight;
            }
            double rest = random.getAsDouble() * total;
            int drawn = NONE;
            for (int i = 0; i < weights.length && rest >= 0; i++) {
                if (weights[i] > 0) {
                    drawn = i;
                    rest -= weights[i];
                }
            }
            return drawn;
        }
    }
}
