package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code benchmarks/run gateway --transports}: the ways in which Recloser can ask the system for input and output. */
public final class TransportComparison {

    private static final String EPOLL = "epoll";
    private static final String NIO = "nio";
    private static final String IO_URING = "io_uring";

    private TransportComparison() {}

    /**
     * Runs the comparison.
     *
     * @param args the script that runs Recloser
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Setup setup = Setup.of(args);
        Rounds rounds = Rounds.quick();
        try (Testbed testbed = Testbed.start(setup)) {
            List<Server> servers = new ArrayList<>();
            for (String transport : List.of(EPOLL, NIO, IO_URING)) {
                Server server = testbed.startRecloser(transport, "-Drecloser.transport=" + transport);
                // Recloser takes nio in the place of what is not available.
                if (!transport.equals(IO_URING) || ProcFile.hasOpen("[io_uring]", server.pid())) {
                    servers.add(server);
                }
            }
            Map<Contest, Results> contests = new LinkedHashMap<>();
            for (Contest contest : List.of(Contest.SMALL, Contest.LARGE, Contest.CLOSE)) {
                contests.put(contest, rounds.measure(contest, servers));
            }
            report(
                    new Report(
                            "gateway, transports",
                            Load.CONNECTIONS + " connections, " + rounds.settings() + ", " + setup.binding()),
                    contests);
        }
    }

    private static void report(Report report, Map<Contest, Results> contests) {
        contests.forEach((contest, results) -> report.print(results.table(contest.title())));
        for (String transport : List.of(IO_URING, NIO)) {
            contests.forEach((contest, results) -> {
                if (results.servers().contains(transport)) {
                    String name = transport + "_vs_" + EPOLL + "_" + contest.figure();
                    report.figure(
                            name,
                            results.ratios(transport, EPOLL, contest.compared()).median());
                }
            });
        }
        if (contests.values().stream().noneMatch(results -> results.servers().contains(IO_URING))) {
            report.print("without io_uring: the kernel or the sandbox does not allow it here");
        }
        report.end();
    }
}
