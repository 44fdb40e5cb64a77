package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Series;
import dev.recloser.benchmarks.Table;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A load under which servers are compared.
 *
 * @param figure what the names of its figures begin with
 * @param title to be read by people
 * @param compared what is compared
 * @param peers with whom Recloser is compared, by what the names of the figures end with
 */
record Contest(String figure, String title, Load load, ToDoubleFunction<Sample> compared, Map<String, String> peers) {

    private static final String MANY = ", as many as possible";

    private static final Map<String, String> ALL = Map.of(
            "haproxy", Testbed.HAPROXY,
            "nginx", Testbed.NGINX,
            "scg", Testbed.SPRING_CLOUD_GATEWAY);

    static final Contest SMALL = answers("small", Content.SMALL);
    static final Contest LARGE = answers("large", Content.LARGE);

    /** Small answers without keep-alive. */
    static final Contest CLOSE =
            many("close", "100 B answers, a new connection for each", Load.withoutKeepAlive(Content.SMALL));

    /** All in which each server is to answer as much as it can. Small answers come last, whose cost is mostly code that has to be compiled. */
    static List<Contest> all(Load uploads) {
        return List.of(
                answers("medium", Content.MEDIUM),
                LARGE,
                answers("huge", Content.HUGE),
                many("upload", "16 KiB uploads", uploads),
                CLOSE,
                SMALL);
    }

    /** Latency at a rate. */
    static Contest paced(double perSecond) {
        return new Contest(
                "p99",
                "100 B answers, " + Math.round(perSecond) + " requests/s",
                Load.paced(Content.SMALL, perSecond),
                sample -> sample.answered().p99(),
                Map.of("haproxy", Testbed.HAPROXY));
    }

    private static Contest answers(String figure, Content content) {
        return many(figure, content.size() + " answers", Load.asFastAsPossible(content));
    }

    private static Contest many(String figure, String what, Load load) {
        return new Contest(figure, what + MANY, load, Sample::cpuMicros, ALL);
    }

    /** Adds a figure for each peer that took part, and a row that says between what the middle half of the pairs lies. */
    void addFigures(Report report, Table table, Results results) {
        peers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .filter(peer -> results.servers().contains(peer.getValue()))
                .forEach(peer -> {
                    String name = figure + "_vs_" + peer.getKey();
                    Series ratios = results.ratios(Testbed.RECLOSER, peer.getValue(), compared);
                    report.figure(name, ratios.median());
                    table.row(
                            "  " + name,
                            ratio(ratios.median()),
                            ratio(ratios.quantile(0.25)),
                            ratio(ratios.quantile(0.75)));
                });
    }

    private static String ratio(double value) {
        return Table.number(value, 2);
    }
}
