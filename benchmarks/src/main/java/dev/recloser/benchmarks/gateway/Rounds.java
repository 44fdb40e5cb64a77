package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Servers under the same load in turn, as often as there are rounds. */
final class Rounds {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final int count;
    private final Duration duration;
    private final Duration warmUp;

    private Rounds(int count, int seconds, int warmUpSeconds) {
        this.count = Setting.number("BENCH_ROUNDS", count);
        this.duration = Duration.ofSeconds(Setting.number("BENCH_SECONDS", seconds));
        this.warmUp = Duration.ofSeconds(Setting.number("BENCH_WARM_UP_SECONDS", warmUpSeconds));
    }

    /** Few and short ones. */
    static Rounds quick() {
        return new Rounds(3, 4, 20);
    }

    static Rounds thorough() {
        return new Rounds(5, 7, 20);
    }

    /** How many there are, to be read by people. */
    String settings() {
        return Load.CONNECTIONS + " connections, " + count + " rounds of " + duration.toSeconds() + " s each";
    }

    Duration duration() {
        return duration;
    }

    /**
     * A sample of each server in each round. Before the first, each gets the same load as in the rounds: a JVM until that is compiled, the
     * others only until their connections to the service are open.
     */
    Results measure(Contest contest, List<Server> servers) throws IOException, InterruptedException {
        for (Server server : servers) {
            Report.progress(contest.figure() + ", warming up " + server.name());
            contest.load().send(server.port(), server.isJvm() ? warmUp : SECOND);
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
