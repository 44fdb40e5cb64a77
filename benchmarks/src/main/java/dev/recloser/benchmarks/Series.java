package dev.recloser.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What was measured of one subject, a value per round.
 *
 * @param values in the order of the rounds
 */
public record Series(List<Double> values) {

    /** Not empty. */
    public Series {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
    }

    /** The median of the rounds. */
    public double median() {
        return median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** The lowest of the rounds. */
    public double min() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** The highest of the rounds. */
    public double max() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** The value that a share of the rounds does not exceed, such as 0.25. */
    public double quantile(double share) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }

    /**
     * How many times the other series this one is: the median of the ratios within each round. What slows a machine for a while
     * slows both sides of such a ratio.
     */
    public double over(Series other) {
        return ratios(other).median();
    }

    /** How many times the other series this one is, within each round. */
    public Series ratios(Series other) {
        return new Series(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) / other.values.get(round))
                .toList());
    }

    /** How much more this one is than the other series, within each round. */
    public Series minus(Series other) {
        return new Series(IntStream.range(0, values.size())
                .mapToObj(round -> values.get(round) - other.values.get(round))
                .toList());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
