package dev.recloser.benchmarks.gateway;

import static dev.recloser.benchmarks.Table.number;

import dev.recloser.benchmarks.Series;
import dev.recloser.benchmarks.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** What servers did under one load, a sample of each per round. */
final class Results {

    private static final double MEBIBYTE = 1024 * 1024;

    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

    void add(String server, Sample sample) {
        samples.computeIfAbsent(server, key -> new ArrayList<>()).add(sample);
    }

    /** The names of those that were measured. */
    Set<String> servers() {
        return samples.keySet();
    }

    Series series(String server, ToDoubleFunction<Sample> value) {
        return new Series(samples.getOrDefault(server, List.of()).stream()
                .map(value::applyAsDouble)
                .toList());
    }

    Series ratios(String server, String other, ToDoubleFunction<Sample> value) {
        return series(server, value).ratios(series(other, value));
    }

    Table table(String title) {
        Table table = new Table(title, "requests/s", "CPU us/request", "p50 ms", "p99 ms", "client late ms", "RSS MiB");
        for (String server : samples.keySet()) {
            table.row(
                    "  " + server,
                    median(server, sample -> sample.answered().perSecond(), 0),
                    median(server, Sample::cpuMicros, 1),
                    median(server, sample -> sample.answered().p50(), 2),
                    median(server, sample -> sample.answered().p99(), 2),
                    median(server, sample -> sample.answered().clientDelay(), 2),
                    median(server, sample -> sample.residentBytes() / MEBIBYTE, 0));
        }
        return table;
    }

    private String median(String server, ToDoubleFunction<Sample> value, int digits) {
        return number(series(server, value).median(), digits);
    }
}
