package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.gateway.config.BalancingConfig;
import dev.recloser.gateway.config.OutlierDetectionConfig;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When a destination is left out because requests to it fail, and when it returns. */
class HealthTest {

    private static final Duration EJECTION = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofSeconds(35);

    private final VirtualTime time = VirtualTime.create();
    private double mostEjected = 1;
    private OptionalDouble ratio = OptionalDouble.empty();
    private Duration slowStart = Duration.ZERO;
    private List<Destination> all = destinations(3);

    private List<Destination> destinations(int size) {
        OutlierDetectionConfig rules = new OutlierDetectionConfig(
                3, ratio, 10, Duration.ofSeconds(10), EJECTION, LONGEST, mostEjected, slowStart);
        return new Destinations(
                        new TestGateway.Settings()
                                .balancing(BalancingConfig.USUAL.with(rules))
                                .cluster("a", IntStream.rangeClosed(1, size).toArray())
                                .config()
                                .clusters()
                                .get("a"),
                        time)
                .all();
    }

    private double share(int index) {
        return all.get(index).health().share(time.nanoTime());
    }

    private void end(int index, Ending... endings) {
        for (Ending ending : endings) {
            all.get(index).health().ended(ending);
        }
    }

    private void fail(int index) {
        end(index, Ending.TIMEOUT, Ending.UPSTREAM_5XX, Ending.CONNECT);
    }

    @Test
    void failuresInARowEject() {
        end(0, Ending.BODY_CUT, Ending.CONNECT_TIMEOUT);
        assertThat(share(0)).isEqualTo(1);
        end(0, Ending.UPSTREAM_CLOSED);
        assertThat(share(0)).isZero();
        assertThat(share(1)).isEqualTo(1);
    }

    @Test
    void aSuccessEndsTheRow() {
        for (int i = 0; i < 10; i++) {
            end(0, Ending.TIMEOUT, Ending.TIMEOUT, Ending.OK);
        }
        assertThat(share(0)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void whatTheBreakerIgnoresIsNoMatterHere(Ending ending) {
        boolean ignored = ending.verdict == Ending.Verdict.IGNORED || ending.verdict == Ending.Verdict.NOT_COUNTED;
        end(0, Ending.TIMEOUT, Ending.TIMEOUT, ending);
        assertThat(share(0)).isEqualTo(ending.verdict == Ending.Verdict.FAILURE ? 0 : 1);
        end(0, Ending.TIMEOUT);
        assertThat(share(0)).isEqualTo(ending.verdict == Ending.Verdict.SUCCESS ? 1 : 0);
        assertThat(ignored).isEqualTo(ending.verdict.outcome == null || ending.verdict == Ending.Verdict.IGNORED);
    }

    @Test
    void aRatioEjectsWhereThereAreEnoughRequestsWithinTheInterval() {
        ratio = OptionalDouble.of(0.5);
        all = destinations(3);
        IntStream.range(0, 4).forEach(i -> end(0, Ending.TIMEOUT, Ending.OK));
        end(0, Ending.TIMEOUT);
        assertThat(share(0)).as("9 requests").isEqualTo(1);
        end(0, Ending.TIMEOUT);
        assertThat(share(0)).as("6 of 10").isZero();
    }

    @Test
    void whatWasCountedInAnIntervalEndsWithIt() {
        ratio = OptionalDouble.of(0.5);
        all = destinations(3);
        IntStream.range(0, 4).forEach(i -> end(0, Ending.TIMEOUT, Ending.OK));
        time.advance(Duration.ofSeconds(10));
        IntStream.range(0, 4).forEach(i -> end(0, Ending.TIMEOUT, Ending.OK));
        assertThat(share(0)).isEqualTo(1);
        end(0, Ending.OK, Ending.OK, Ending.TIMEOUT);
        assertThat(share(0)).as("5 of 11").isEqualTo(1);
    }

    @Test
    void anEjectedOneReturnsByItself() {
        fail(0);
        time.advance(EJECTION.multipliedBy(9).dividedBy(10).minusMillis(1));
        assertThat(share(0)).isZero();
        time.advance(EJECTION.dividedBy(10).plusMillis(1));
        assertThat(share(0)).isEqualTo(1);
        end(0, Ending.TIMEOUT, Ending.TIMEOUT);
        assertThat(share(0)).as("counted from the beginning").isEqualTo(1);
    }

    @Test
    void ejectionsInARowGrowUpToALimit() {
        assertThat(ejection()).isBetween(9.0, 10.0);
        assertThat(ejection()).isBetween(18.0, 20.0);
        assertThat(ejection()).isBetween(31.5, 35.0);
        assertThat(ejection()).isBetween(31.5, 35.0);
        time.advance(Duration.ofSeconds(36));
        assertThat(ejection()).as("after it was well for as long").isBetween(9.0, 10.0);
    }

    /** How many seconds the next one takes. */
    private double ejection() {
        assertThat(share(0)).isEqualTo(1);
        fail(0);
        double seconds = 0;
        for (; share(0) == 0; seconds += 0.01) {
            time.advance(Duration.ofMillis(10));
        }
        return seconds;
    }

    @ParameterizedTest
    @CsvSource({"2, 0.1, 1", "2, 0.5, 1", "2, 1, 1", "3, 0.5, 1", "4, 0.5, 2", "10, 0.3, 3", "10, 1, 9"})
    void someAlwaysStay(int size, double most, int ejected) {
        mostEjected = most;
        all = destinations(size);
        for (int round = 0; round < 2; round++) {
            IntStream.range(0, size).forEach(this::fail);
            assertThat(IntStream.range(0, size).filter(i -> share(i) == 0)).hasSize(ejected);
        }
        time.advance(EJECTION);
        assertThat(IntStream.range(0, size).filter(i -> share(i) == 0)).isEmpty();
        IntStream.range(0, size).forEach(this::fail);
        assertThat(IntStream.range(0, size).filter(i -> share(i) == 0)).hasSize(ejected);
    }

    @Test
    void theShareOfOneThatReturnsGrows() {
        slowStart = Duration.ofSeconds(20);
        all = destinations(2);
        assertThat(share(0)).as("at the start").isEqualTo(1);
        fail(0);
        while (share(0) == 0) {
            time.advance(Duration.ofMillis(10));
        }
        assertThat(share(0)).isEqualTo(0.1);
        time.advance(Duration.ofSeconds(5));
        assertThat(share(0)).isCloseTo(0.25, within(0.001));
        time.advance(Duration.ofSeconds(10));
        assertThat(share(0)).isCloseTo(0.75, within(0.001));
        time.advance(Duration.ofSeconds(5));
        assertThat(share(0)).isEqualTo(1);
    }

    @Test
    void oneThatIsUnhealthyGetsNothingUntilChecksSayOtherwise() {
        slowStart = Duration.ofSeconds(20);
        all = destinations(2);
        all.get(0).health().checked(false, "status 503");
        assertThat(share(0)).isZero();
        fail(0);
        time.advance(LONGEST);
        assertThat(share(0)).isZero();
        fail(1);
        assertThat(share(1)).as("the only one that is left").isEqualTo(1);
        all.get(0).health().checked(true, "");
        assertThat(share(0)).isEqualTo(0.1);
        time.advance(slowStart);
        assertThat(share(0)).isEqualTo(1);
    }

    @Test
    void whatKeepsItFromItsShareIsShown() {
        slowStart = Duration.ofSeconds(20);
        all = destinations(2);
        assertThat(shown()).isEqualTo("healthy");
        all.get(0).health().unreachable(time.nanoTime());
        assertThat(shown()).isEqualTo("resting");
        fail(0);
        assertThat(shown()).isEqualTo("ejected");
        time.advance(EJECTION);
        assertThat(shown()).isEqualTo("slow-start");
        all.get(0).health().checked(false, "status 503");
        assertThat(shown()).isEqualTo("unhealthy");
        all.get(0).health().checked(true, "");
        time.advance(slowStart);
        assertThat(shown()).isEqualTo("healthy");
    }

    private String shown() {
        return all.get(0).snapshot(time.nanoTime()).state().label();
    }

    @Test
    void theOnlyDestinationIsNeverEjected() {
        all = destinations(1);
        IntStream.range(0, 10).forEach(i -> fail(0));
        assertThat(share(0)).isEqualTo(1);
    }

    @Test
    void eachEjectionAndEachReturnIsSaidOnce() {
        List<String> said = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                said.add(entry.getLevel() + ": " + entry.getMessage());
            }

            @Override
            public void flush() {
                // nothing is held back
            }

            @Override
            public void close() {
                // likewise
            }
        };
        Logger logger = Logger.getLogger(Destination.class.getName());
        logger.addHandler(handler);
        try {
            fail(0);
            end(0, Ending.TIMEOUT);
            time.advance(EJECTION);
            share(0);
            share(0);
            time.advance(Duration.ZERO);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(said).hasSize(2);
        assertThat(said.get(0))
                .matches(
                        "WARNING: destination http://127.0.0.1:1 of a is ejected for (9\\.\\d|10) s: 3 failures in a row,"
                                + " the last one connect");
        assertThat(said.get(1)).isEqualTo("INFO: destination http://127.0.0.1:1 of a takes requests again");
    }
}
