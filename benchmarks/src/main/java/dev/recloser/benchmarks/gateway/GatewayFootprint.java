package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import java.io.IOException;
import java.time.Duration;

/** {@code benchmarks/run gateway --footprint}: start and memory alone. */
public final class GatewayFootprint {

    private GatewayFootprint() {}

    /**
     * Measures it.
     *
     * @param args the script that runs Recloser
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Setup setup = Setup.of(args);
        Duration duration = Duration.ofSeconds(Setting.number("BENCH_SECONDS", 10));
        try (Testbed testbed = Testbed.start(setup)) {
            Footprint footprint = Footprint.measure(setup, testbed, duration);
            Report report = new Report("gateway, footprint", duration.toSeconds() + " s of each load");
            footprint.addTo(report);
            report.end();
        }
    }
}
