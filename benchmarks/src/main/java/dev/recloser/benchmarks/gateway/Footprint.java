package dev.recloser.benchmarks.gateway;

import static dev.recloser.benchmarks.Table.number;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Series;
import dev.recloser.benchmarks.Setting;
import dev.recloser.benchmarks.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a gateway takes to start, in milliseconds, and how much memory it holds.
 *
 * @param springCloudGateway the same of Spring Cloud Gateway, or null where it could not be built
 * @param started after a few requests
 * @param small under small answers
 * @param large later, under large ones
 */
record Footprint(Series recloser, @Nullable Series springCloudGateway, Memory started, Memory small, Memory large) {

    private static final int STARTS = 5;
    private static final double MEBIBYTE = 1024 * 1024;

    /** For how long a gateway is under each load. */
    static Duration loadTime() {
        return Duration.ofSeconds(Setting.number("BENCH_SECONDS", 10));
    }

    /** Starts gateways one after the other, and then one that is put under load; all of them on all cores. */
    static Footprint measure(Setup setup, Testbed testbed) throws IOException, InterruptedException {
        Path config = testbed.recloserConfig(Testbed.freePort());
        List<String> command = setup.recloser(config, List.of());
        Series recloser = Start.millis(Testbed.RECLOSER, Setup.bound(setup.cores(), command), "listening on ", STARTS);

        @Nullable Series springCloudGateway = null;
        Path jar = setup.springCloudGateway();
        if (jar != null) {
            command = Setup.springCloudGateway(jar, testbed.springCloudGatewayConfig(Testbed.freePort()));
            springCloudGateway =
                    Start.millis(Testbed.SPRING_CLOUD_GATEWAY, Setup.bound(setup.cores(), command), "Started ", STARTS);
        }

        Server server = testbed.startRecloserOnAllCores();
        Memory started = Memory.of(server);
        Report.progress("its memory under load");
        Duration duration = loadTime();
        Memory small = Memory.under(Load.asFastAsPossible(Content.SMALL), server, duration);
        Memory large = Memory.under(Load.asFastAsPossible(Content.LARGE), server, duration);
        return new Footprint(recloser, springCloudGateway, started, small, large);
    }

    /** Prints the tables, and adds the figures. */
    void addTo(Report report) {
        Table starts = new Table("until it serves, started " + STARTS + " times", "ms", "lowest", "highest");
        addStarts(starts, Testbed.RECLOSER, recloser);
        if (springCloudGateway != null) {
            addStarts(starts, Testbed.SPRING_CLOUD_GATEWAY, springCloudGateway);
        }
        report.print(starts);
        Table memory = new Table("memory of Recloser, one process", "RSS MiB", "most so far");
        addMemory(memory, "started, a few requests", started);
        addMemory(memory, Load.CONNECTIONS + " connections, 100 B answers", small);
        addMemory(memory, "then 256 KiB answers", large);
        report.print(memory);
        report.figure("start_ms", recloser.median(), 0);
        report.figure("rss_mb", small.resident() / MEBIBYTE, 0);
    }

    private static void addStarts(Table table, String name, Series millis) {
        table.row("  " + name, number(millis.median(), 0), number(millis.min(), 0), number(millis.max(), 0));
    }

    private static void addMemory(Table table, String when, Memory memory) {
        table.row("  " + when, number(memory.resident() / MEBIBYTE, 0), number(memory.peak() / MEBIBYTE, 0));
    }
}
