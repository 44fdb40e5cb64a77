package dev.recloser.tests.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.RetryBudget;
import dev.recloser.examples.Outage;
import dev.recloser.examples.OutageRun;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a service and its callers in an outage of a minute, with the three kinds of protection of the example. */
@Tag("once")
class OutageTest {

    private static final double MINIMUM_PER_SECOND = 1;
    private static final double MAXIMUM_SAVED = 20;
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final double CALLS_PER_SECOND = 100;

    @ParameterizedTest
    @CsvSource({"1, 0.1", "2, 0.1", "3, 0.1", "1, 0.3", "2, 0.3", "3, 0.3"})
    void repeatedAttemptsStayWithinTheBudget(long seed, double ratio) {
        OutageRun run = new OutageRun(
                time -> Outage.retriesWithBudget(
                        time,
                        seed,
                        RetryBudget.of(
                                b -> b.ratio(ratio)
                                        .minimumPerSecond(MINIMUM_PER_SECOND)
                                        .maximumSaved(MAXIMUM_SAVED),
                                time)),
                seed);
        double allowed = ratio * run.callsWhileDown() + MINIMUM_PER_SECOND * OutageRun.DOWN.toSeconds() + MAXIMUM_SAVED;
        long repeated = run.attemptsWhileDown() - run.callsWhileDown();
        assertThat((double) repeated).isBetween(.95 * allowed, allowed);
        assertWellAfterwards(run);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withoutABudgetTheServiceGetsFourTimesTheCallsAndDoesNotRecover(long seed) {
        OutageRun run = new OutageRun(time -> Outage.retriesWithoutBudget(time, seed), seed);
        assertThat(run.amplification()).isBetween(3.5, 4.0);
        assertThat(run.answeredPerSecond(SOON)).isLessThan(.05 * CALLS_PER_SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withTheBreakerTheServiceIsLeftAloneAndAllIsWellSoonAfterwards(long seed) {
        OutageRun run = new OutageRun(time -> Outage.standardPipeline(time, seed), seed);
        assertThat(run.amplification()).isLessThan(.1);
        assertWellAfterwards(run);
    }

    private static void assertWellAfterwards(OutageRun run) {
        assertThat(run.answeredPerSecond(SOON))
                .as("answers per second from 10 s after the outage on")
                .isCloseTo(CALLS_PER_SECOND, within(.05 * CALLS_PER_SECOND));
    }
}
