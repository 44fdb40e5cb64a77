package dev.recloser.benchmarks.gateway;

import dev.recloser.benchmarks.Report;
import dev.recloser.benchmarks.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Servers under the same load in turn, as often as there are rounds. */
final class Rounds {

    private static final double WARM_UP_PER_SECOND = 2000;
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
        return new Rounds(3, 5, 15);
    }

    static Rounds thorough() {
        return new Rounds(5, 7, 30);
    }

    /** How many there are, to be read by people. */
    String settings() {
        return Load.CONNECTIONS + " connections, " + count + " rounds of " + duration.toSeconds() + " s each";
    }

    Duration duration() {
        return duration;
    }

    /** A server that is a JVM, until it is compiled. */
    void warmUp(Server server) throws IOException, InterruptedException {
        warmUp(server, warmUp);
    }

    /** A server that only has to open its connections to the service. */
    void touch(Server server) throws IOException, InterruptedException {
        warmUp(server, SECOND);
    }

    private void warmUp(Server server, Duration time) throws IOException, InterruptedException {
        Report.progress("warming up " + server.name());
        Load.asFastAsPossible(Content.LARGE).send(server.port(), atLeastSecond(time.dividedBy(3)));
        Load.asFastAsPossible(Content.SMALL).send(server.port(), time);
    }

    /** The client in this JVM. */
    void warmUpClient(Server service) throws IOException, InterruptedException {
        Load.paced(Content.SMALL, WARM_UP_PER_SECOND).send(service.port(), atLeastSecond(warmUp.dividedBy(5)));
    }

    private static Duration atLeastSecond(Duration duration) {
        return duration.compareTo(SECOND) < 0 ? SECOND : duration;
    }

    /** A sample of each server in each round. */
    Results measure(Contest contest, List<Server> servers) throws IOException, InterruptedException {
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
