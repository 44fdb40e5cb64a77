package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Servers under the same load in turn, as often as there are rounds. A machine that is shared changes its pace within seconds, so many short
 * rounds say more than a few long ones.
 */
final class Rounds {

    private final int count;
    private final int warmUps;
    private final Duration duration;

    private Rounds(int count, int roundSeconds, int warmUpSeconds) {
        int seconds = Setting.number("BENCH_SECONDS", roundSeconds);
        this.count = Setting.number("BENCH_ROUNDS", count);
        this.warmUps = Math.max(1, Setting.number("BENCH_WARM_UP_SECONDS", warmUpSeconds) / seconds);
        this.duration = Duration.ofSeconds(seconds);
    }

    static Rounds quick() {
        return new Rounds(10, 1, 24);
    }

    /** The same for latencies, whose 99th percentile takes longer to show. */
    static Rounds quickForLatencies() {
        return new Rounds(5, 2, 24);
    }

    static Rounds thorough() {
        return new Rounds(12, 2, 20);
    }

    /** How many there are, to be read by people. */
    String settings() {
        return count + " rounds of " + duration.toSeconds() + " s each";
    }

    /**
     * A sample of each server in each round. Before the first, each gets the same load as in the rounds: a JVM as often as it takes to
     * compile what happens during a round, and when a round ends and its connections with it, which makes the JVM drop some of what it had
     * compiled; the others only until their connections to the service are open.
     */
    Results measure(Contest contest, List<Server> servers) throws IOException, InterruptedException {
        return measure(contest, servers, warmUps);
    }

    /** The same after a load that needs the same code, which is compiled. */
    Results measureCompiled(Contest contest, List<Server> servers) throws IOException, InterruptedException {
        return measure(contest, servers, 1);
    }

    private Results measure(Contest contest, List<Server> servers, int warmUpsOfJvm)
            throws IOException, InterruptedException {
        for (Server server : servers) {
            Report.progress(contest.figure() + ", warming up " + server.name());
            for (int i = 0; i < (server.isJvm() ? warmUpsOfJvm : 1); i++) {
                contest.load().send(server.port(), duration);
            }
        }
        Results results = new Results();
        for (int round = 1; round <= count; round++) {
            Report.progress(contest.figure() + ", round " + round + " of " + count);
            for (Server server : servers) {
                results.add(server.name(), Sample.of(server, contest.load(), duration));
            }
        }
        return results;
    }
}
