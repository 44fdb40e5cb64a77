package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import dev.recloser.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code benchmarks/run gateway}. */
public final class GatewayComparison {

    /** Of the rate that the slowest of {@link #near} reaches: the rate at which latencies are compared. */
    private static final double SHARE_OF_SLOWEST = 0.7;

    private final Setup setup;
    private final Testbed testbed;
    private final boolean quick;
    private final Rounds rounds;
    private final Rounds latencyRounds;

    /** Those that are not far from each other. At a rate that Spring Cloud Gateway bears, the others have little to do. */
    private final List<Server> near = new ArrayList<>();

    private final List<Server> all = new ArrayList<>();

    private GatewayComparison(Setup setup, Testbed testbed, boolean quick) {
        this.setup = setup;
        this.testbed = testbed;
        this.quick = quick;
        this.rounds = quick ? Rounds.quick() : Rounds.thorough();
        this.latencyRounds = quick ? Rounds.quickForLatencies() : rounds;
    }

    /**
     * Runs the comparison.
     *
     * @param args the script that runs Recloser, and {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Setup setup = Setup.of(args);
        try (Testbed testbed = Testbed.start(setup)) {
            new GatewayComparison(setup, testbed, Setting.isQuick(args)).run();
        }
    }

    private void run() throws IOException, InterruptedException {
        start();
        Map<Contest, Results> contests = new LinkedHashMap<>();
        for (Contest contest : quick ? List.of(Contest.LARGE, Contest.SMALL) : Contest.all(testbed.uploads())) {
            contests.put(contest, rounds.measure(contest, quick && !contest.equals(Contest.SMALL) ? near : all));
        }
        Contest paced = Contest.paced(SHARE_OF_SLOWEST * slowestNear(contests));
        contests.put(paced, latencyRounds.measureCompiled(paced, near));

        Report report = new Report(
                "gateway",
                Load.CONNECTIONS + " connections, " + rounds.settings() + ", p99 " + latencyRounds.settings() + ", "
                        + setup.binding());
        if (setup.springCloudGateway() == null) {
            report.print("without Spring Cloud Gateway, which could not be built");
        }
        contests.forEach((contest, results) -> report.print(results.table(contest.title())));
        Table ratios = new Table("Recloser / the other", "median", "middle half from", "to");
        contests.forEach((contest, results) -> contest.addFigures(report, ratios, results));
        report.print(ratios);
        if (!quick) {
            Footprint.measure(setup, testbed).addTo(report);
        }
        report.end();
    }

    private void start() throws IOException, InterruptedException {
        near.add(testbed.service());
        near.add(testbed.startRecloser(Testbed.RECLOSER));
        near.add(testbed.startHaproxy());
        near.add(testbed.startNginx());
        all.addAll(near);
        Path jar = setup.springCloudGateway();
        if (jar != null) {
            all.add(testbed.startSpringCloudGateway(jar));
        }
    }

    private double slowestNear(Map<Contest, Results> contests) {
        Results small = contests.getOrDefault(Contest.SMALL, new Results());
        return near.stream()
                .filter(server -> server != testbed.service())
                .mapToDouble(server -> small.series(
                                server.name(), sample -> sample.answered().perSecond())
                        .median())
                .min()
                .orElseThrow();
    }
}
