package dev.recloser.examples.simulation;

import dev.recloser.examples.simulation.Clients.Fate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts what has become of calls, by the second in which they ended. */
final class Tally {

    private final List<Map<Fate, Integer>> seconds = new ArrayList<>();

    void add(long nanos, Fate fate) {
        long second = TimeUnit.NANOSECONDS.toSeconds(nanos);
        while (seconds.size() <= second) {
            seconds.add(new EnumMap<>(Fate.class));
        }
        seconds.get((int) second).merge(fate, 1, Integer::sum);
    }

    long count(Fate fate, long fromSecond, long toSecond) {
        long sum = 0;
        for (long second = fromSecond; second < Math.min(toSecond, seconds.size()); second++) {
            sum += seconds.get((int) second).getOrDefault(fate, 0);
        }
        return sum;
    }
}
