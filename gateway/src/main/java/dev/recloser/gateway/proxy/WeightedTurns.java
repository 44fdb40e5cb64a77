package dev.recloser.gateway.proxy;

/**
 * Turns by weight, as evenly spread as can be: the smooth weighted round robin of nginx (Maxim Dounin, 2012). In each turn everybody
 * is credited with his weight, and whoever has most then has his turn and pays for it what all were credited with. Weights 5, 1 and 1
 * give A A B A C A A, and not A A A A A B C. The credits always add up to zero, whoever takes part in which turn.
 */
final class WeightedTurns {

    private final double[] credit;

    /** Nobody has had a turn. */
    WeightedTurns(int size) {
        credit = new double[size];
    }

    /** Goes on as if there had been so many turns of all. */
    void skip(int turns, double[] weights) {
        for (int i = 0; i < turns; i++) {
            next(weights);
        }
    }

    /**
     * Whose turn it is.
     *
     * @param weights 0 for those that do not take part; at least one does
     */
    int next(double[] weights) {
        int best = -1;
        double total = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                credit[i] += weights[i];
                total += weights[i];
                best = best < 0 || credit[i] > credit[best] ? i : best;
            }
        }
        credit[best] -= total;
        return best;
    }
}
