package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code benchmarks/run gateway}. */
public final class GatewayComparison {

    /** Of the rate that the slowest proxy reaches: the rate at which latencies are compared. */
    private static final double SHARE_OF_SLOWEST = 0.7;

    private static final double WARM_UP_PER_SECOND = 2000;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Testbed testbed;
    private final int rounds;
    private final Duration duration;
    private final Duration warmUp;

    private GatewayComparison(Testbed testbed, boolean quick) {
        this.testbed = testbed;
        this.rounds = Setting.number("BENCH_ROUNDS", quick ? 3 : 5);
        this.duration = Duration.ofSeconds(Setting.number("BENCH_SECONDS", quick ? 5 : 15));
        this.warmUp = Duration.ofSeconds(Setting.number("BENCH_WARM_UP_SECONDS", quick ? 15 : 30));
    }

    /**
     * Runs the comparison.
     *
     * @param args the script that runs Recloser, and {@code --quick} for a short run
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> gateway = List.of(args[0], "gateway");
        @Nullable Integer proxyCore = Integer.getInteger("recloser.benchmarks.proxy-core");
        try (Testbed testbed = Testbed.start(gateway, proxyCore)) {
            String cores = proxyCore == null ? "nothing bound to a core" : "proxies alone on core " + proxyCore;
            new GatewayComparison(testbed, Setting.isQuick(args)).run(cores);
        }
    }

    private void run(String cores) throws IOException, InterruptedException {
        warmUp();
        Results small = measure("small", Load.asFastAsPossible(Content.SMALL));
        Results large = measure("large", Load.asFastAsPossible(Content.LARGE));
        double rate = SHARE_OF_SLOWEST * slowest(small);
        Results paced = measure("paced", Load.paced(Content.SMALL, rate));

        Report report = new Report("gateway", settings() + ", " + cores);
        report.print(small.table("100 B answers, as many as possible"));
        report.print(large.table("256 KiB answers, as many as possible"));
        report.print(paced.table("100 B answers, " + Math.round(rate) + " requests/s"));
        report.figure("small_vs_haproxy", small.ratio(Testbed.RECLOSER, Testbed.HAPROXY, Sample::cpuMicros));
        report.figure("small_vs_nginx", small.ratio(Testbed.RECLOSER, Testbed.NGINX, Sample::cpuMicros));
        report.figure("large_vs_haproxy", large.ratio(Testbed.RECLOSER, Testbed.HAPROXY, Sample::cpuMicros));
        report.figure(
                "p99_vs_haproxy",
                paced.ratio(
                        Testbed.RECLOSER,
                        Testbed.HAPROXY,
                        sample -> sample.answered().p99()));
        report.end();
    }

    private String settings() {
        return Load.CONNECTIONS + " connections, " + rounds + " rounds of " + duration.toSeconds() + " s each";
    }

    /** The gateway's JVM, and the client in this one. The others only open their connections to the service. */
    private void warmUp() throws IOException, InterruptedException {
        Report.progress("warming up");
        for (Server proxy : testbed.proxies()) {
            Duration time = proxy.name().equals(Testbed.RECLOSER) ? warmUp : SECOND;
            Load.asFastAsPossible(Content.LARGE).send(proxy.port(), atLeastSecond(time.dividedBy(3)));
            Load.asFastAsPossible(Content.SMALL).send(proxy.port(), time);
        }
        Load.paced(Content.SMALL, WARM_UP_PER_SECOND)
                .send(testbed.service().port(), atLeastSecond(warmUp.dividedBy(5)));
    }

    private static Duration atLeastSecond(Duration duration) {
        return duration.compareTo(SECOND) < 0 ? SECOND : duration;
    }

    /** All servers in turn, as often as there are rounds. */
    private Results measure(String name, Load load) throws IOException, InterruptedException {
        Results results = new Results();
        for (int round = 1; round <= rounds; round++) {
            Report.progress(name + ", round " + round + " of " + rounds);
            for (Server server : testbed.servers()) {
                results.add(server.name(), Sample.of(server, load, duration));
            }
        }
        return results;
    }

    private double slowest(Results results) {
        return testbed.proxies().stream()
                .mapToDouble(proxy -> results.series(
                                proxy.name(), sample -> sample.answered().perSecond())
                        .median())
                .min()
                .orElseThrow();
    }
}
