package dev.recloser.benchmarks.gateway;

import static dev.recloser.benchmarks.Table.number;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import dev.recloser.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;

/**
 * {@code benchmarks/run gateway --profile}: where Recloser's time goes under small answers. What threads needed is told by the kernel,
 * exactly; what of that was which code, by samples of the JDK's Flight Recorder.
 */
public final class GatewayProfile {

    private static final Duration LEAST_SHOWN = Duration.ofMillis(50);

    private GatewayProfile() {}

    /**
     * Makes the profile.
     *
     * @param args the script that runs Recloser
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Setup setup = Setup.of(args);
        Duration warmUp = Duration.ofSeconds(Setting.number("BENCH_WARM_UP_SECONDS", 30));
        Duration duration = Duration.ofSeconds(Setting.number("BENCH_SECONDS", 60));
        try (Testbed testbed = Testbed.start(setup)) {
            Path recording = testbed.folder().resolve("profile.jfr");
            Path settings = Template.write(testbed.folder(), "profile.jfc", Map.of());
            Server server = testbed.startRecloser(
                    Testbed.RECLOSER,
                    "-XX:StartFlightRecording=dumponexit=true,filename=" + recording + ",settings=" + settings,
                    "-XX:FlightRecorderOptions=stackdepth=128",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:+DebugNonSafepoints");
            Load load = Load.asFastAsPossible(Content.SMALL);
            Report.progress("warming up");
            load.send(server.port(), warmUp);

            Report.progress("recording for " + duration.toSeconds() + " s");
            Instant begin = Instant.now();
            Map<String, CpuTimes> before = ProcFile.cpuTimesOfThreads(server.pid());
            Answered answered = load.send(server.port(), duration);
            Map<String, CpuTimes> after = ProcFile.cpuTimesOfThreads(server.pid());
            Instant end = Instant.now();
            server.close();

            Report report = new Report("gateway, profile", "100 B answers, " + setup.binding());
            report.print(threads(before, after, answered));
            Profile.read(recording, begin, end).tables().forEach(report::print);
        }
    }

    private static Table threads(Map<String, CpuTimes> before, Map<String, CpuTimes> after, Answered answered) {
        Table table = new Table("CPU us/request by thread", "user", "system", "both");
        after.entrySet().stream()
                .map(entry -> Map.entry(
                        entry.getKey(), entry.getValue().minus(before.getOrDefault(entry.getKey(), CpuTimes.NONE))))
                .filter(entry -> entry.getValue().sum().compareTo(LEAST_SHOWN) >= 0)
                .sorted(Comparator.comparing((Map.Entry<String, CpuTimes> entry) ->
                                entry.getValue().sum())
                        .reversed())
                .forEach(entry -> table.row(
                        "  " + entry.getKey(),
                        micros(entry.getValue().user(), answered),
                        micros(entry.getValue().system(), answered),
                        micros(entry.getValue().sum(), answered)));
        return table;
    }

    private static String micros(Duration time, Answered answered) {
        return number(time.toNanos() / 1e3 / answered.requests(), 2);
    }
}
