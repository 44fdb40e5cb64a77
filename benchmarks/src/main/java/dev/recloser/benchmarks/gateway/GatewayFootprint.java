package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import java.io.IOException;

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
        try (Testbed testbed = Testbed.start(setup)) {
            Footprint footprint = Footprint.measure(setup, testbed);
            Report report =
                    new Report("gateway, footprint", Footprint.loadTime().toSeconds() + " s of each load");
            footprint.addTo(report);
            report.end();
        }
    }
}
