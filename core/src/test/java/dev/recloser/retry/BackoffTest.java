package dev.recloser.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.retry.Backoff.Growth;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long the delays are. */
class BackoffTest {

    /** For delays without jitter. */
    private static double notAsked() {
        throw new AssertionError("asked for a random number");
    }

    private static Backoff backoff(Growth growth, Duration base, double multiplier, Duration maximum) {
        return new Backoff(growth, base, multiplier, false, maximum);
    }

    private static Backoff jittered(Growth growth, Duration base, double multiplier, Duration maximum) {
        return new Backoff(growth, base, multiplier, true, maximum);
    }

    private static List<Duration> first(int count, Backoff backoff, DoubleSupplier random) {
        Delays delays = new Delays(backoff);
        return Stream.generate(() -> Duration.ofNanos(delays.nextNanos(random)))
                .limit(count)
                .toList();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void constantDelayStaysTheSame() {
        assertThat(first(3, backoff(Growth.CONSTANT, millis(70), 1, null), BackoffTest::notAsked))
                .containsExactly(millis(70), millis(70), millis(70));
    }

    @Test
    void linearBackoffGrowsByItsBase() {
        assertThat(first(5, backoff(Growth.LINEAR, millis(70), 1, millis(300)), BackoffTest::notAsked))
                .containsExactly(millis(70), millis(140), millis(210), millis(280), millis(300));
    }

    @Test
    void exponentialBackoffGrowsByItsMultiplier() {
        assertThat(first(6, backoff(Growth.EXPONENTIAL, millis(200), 2, millis(5000)), BackoffTest::notAsked))
                .containsExactly(millis(200), millis(400), millis(800), millis(1600), millis(3200), millis(5000));
        assertThat(first(4, backoff(Growth.EXPONENTIAL, millis(1), 1.5, null), BackoffTest::notAsked))
                .containsExactly(
                        millis(1),
                        Duration.ofNanos(1_500_000),
                        Duration.ofNanos(2_250_000),
                        Duration.ofNanos(3_375_000));
        assertThat(first(3, backoff(Growth.EXPONENTIAL, millis(9), 1, null), BackoffTest::notAsked))
                .containsExactly(millis(9), millis(9), millis(9));
    }

    /** A line of the table: the delay before a retry, in seconds, when every random number is the same. */
    record Row(double random, int attempt, double seconds) {}

    static List<Row> table() throws Exception {
        List<Row> rows = new ArrayList<>();
        try (InputStream table = BackoffTest.class.getResourceAsStream("retry-backoff.tsv");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(table), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#") && !line.startsWith("random")) {
                    String[] cells = line.split("\t", -1);
                    rows.add(new Row(
                            Double.parseDouble(cells[0]), Integer.parseInt(cells[1]), Double.parseDouble(cells[2])));
                }
            }
        }
        assertThat(rows).hasSize(24);
        return rows;
    }

    @ParameterizedTest
    @MethodSource("table")
    void jitterFollowsTheTable(Row row) {
        Backoff backoff = jittered(Growth.EXPONENTIAL, Duration.ofSeconds(1), 2, null);
        Duration delay = first(row.attempt() + 1, backoff, row::random).get(row.attempt());
        // The table is rounded to microseconds.
        assertThat(delay.toNanos()).isCloseTo(Math.round(row.seconds() * 1e9), within(1000L));
    }

    @Test
    void jitterGoesOnFromWhereTheDelayBeforeEnded() {
        double[] numbers = {.9, .1, .5};
        int[] asked = {0};
        Backoff backoff = jittered(Growth.EXPONENTIAL, Duration.ofSeconds(1), 3, null);
        List<Duration> delays = first(3, backoff, () -> numbers[asked[0]++]);
        double before = 0;
        for (int i = 0; i < 3; i++) {
            double t = i + numbers[i];
            double next = Math.pow(3, t) * Math.tanh(Math.sqrt(4 * t));
            assertThat(delays.get(i).toNanos()).isCloseTo((long) ((next - before) / 1.4 * 1e9), within(1L));
            before = next;
        }
        assertThat(asked[0]).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.05, 1.2, 1.49, 1.5, 1.75, 2, 5})
    void jitterKeepsTheSizeOfDelays(double multiplier) {
        Random random = new Random(7);
        Backoff plain = backoff(Growth.EXPONENTIAL, millis(100), multiplier, Backoff.LONGEST);
        Backoff jittered = jittered(Growth.EXPONENTIAL, millis(100), multiplier, Backoff.LONGEST);
        int calls = 2000;
        double sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += sum(first(8, jittered, random::nextDouble));
        }
        assertThat(sum / calls / sum(first(8, plain, BackoffTest::notAsked))).isBetween(.3, 1.5);
    }

    private static double sum(List<Duration> delays) {
        return delays.stream().mapToDouble(Duration::toNanos).sum();
    }

    @Test
    void smallMultiplierStillGrowsWithJitter() {
        Random random = new Random(1);
        double[] sums = new double[12];
        for (int i = 0; i < 1000; i++) {
            List<Duration> delays = first(12, jittered(Growth.EXPONENTIAL, millis(1), 1.5, null), random::nextDouble);
            for (int retry = 0; retry < 12; retry++) {
                sums[retry] += delays.get(retry).toNanos();
            }
        }
        for (int retry = 2; retry < 12; retry++) {
            assertThat(sums[retry]).as("retry %d", retry).isGreaterThan(sums[retry - 1] * 1.2);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.retry.BackoffTest#beyondTheMaximum")
    void delaysAtTheMaximumAreSpreadOverItsUpperHalf(Backoff backoff) {
        Random random = new Random(3);
        long most = backoff.maximum().toNanos();
        int[] tenths = new int[10];
        for (int i = 0; i < 10_000; i++) {
            Delays delays = new Delays(backoff);
            long delay = 0;
            for (int retry = 0; retry < 20; retry++) {
                delay = delays.nextNanos(random::nextDouble);
            }
            assertThat(delay).isBetween(most / 2, most);
            tenths[(int) Math.min(9, (delay - most / 2) * 20 / most)]++;
        }
        assertThat(tenths).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(850, 1150);
            }
        });
    }

    static Stream<Backoff> beyondTheMaximum() {
        return Stream.of(
                jittered(Growth.EXPONENTIAL, millis(1), 1.5, millis(20)),
                jittered(Growth.EXPONENTIAL, millis(200), 2, millis(5000)),
                jittered(Growth.EXPONENTIAL, millis(200), 1.3, millis(5000)),
                jittered(Growth.LINEAR, millis(100), 1, millis(500)),
                jittered(Growth.CONSTANT, millis(100), 1, millis(100)));
    }

    @Test
    void constantAndLinearDelaysAreSpreadByAQuarter() {
        Backoff constant = jittered(Growth.CONSTANT, millis(100), 1, null);
        assertThat(first(1, constant, () -> 0)).containsExactly(millis(75));
        assertThat(first(1, constant, () -> .5)).containsExactly(millis(100));
        assertThat(first(1, constant, () -> 1)).containsExactly(millis(125));
        assertThat(first(3, jittered(Growth.LINEAR, millis(100), 1, null), () -> .25))
                .containsExactly(Duration.ofNanos(87_500_000), millis(175), Duration.ofNanos(262_500_000));
    }

    @Test
    void defaultMaximumLeavesRoomForJitter() {
        assertThat(backoff(Growth.CONSTANT, millis(200), 1, null).maximum()).isEqualTo(Duration.ofSeconds(30));
        Backoff minute = jittered(Growth.CONSTANT, Duration.ofMinutes(1), 1, null);
        assertThat(minute.maximum()).isEqualTo(Duration.ofMinutes(2));
        assertThat(first(1, minute, () -> 1)).containsExactly(Duration.ofSeconds(75));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, .5, .999_999})
    void noNumberOfRetriesOverflows(double random) {
        for (double multiplier : new double[] {1, 1.5, 2, 1e300}) {
            for (Growth growth : Growth.values()) {
                for (Duration base : List.of(Duration.ofNanos(1), millis(200), Backoff.LONGEST)) {
                    Backoff backoff = jittered(growth, base, multiplier, Backoff.LONGEST);
                    for (Duration delay : first(5000, backoff, () -> random)) {
                        assertThat(delay).isBetween(Duration.ZERO, Backoff.LONGEST);
                    }
                }
            }
        }
        Backoff usual = jittered(Growth.EXPONENTIAL, millis(200), 2, null);
        assertThat(first(71, usual, () -> random).get(70)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
        assertThat(first(71, backoff(Growth.EXPONENTIAL, millis(200), 2, null), BackoffTest::notAsked)
                        .get(70))
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void noBaseMeansNoDelay() {
        for (Growth growth : Growth.values()) {
            assertThat(first(2000, jittered(growth, Duration.ZERO, 10, null), () -> .5))
                    .containsOnly(Duration.ZERO);
            assertThat(jittered(growth, Duration.ZERO, 10, null).worstCaseNanos(2000))
                    .isZero();
        }
    }

    @Test
    void worstCaseIsTheSumOfTheLongestDelays() {
        assertThat(backoff(Growth.CONSTANT, millis(100), 1, null).worstCaseNanos(3))
                .isEqualTo(millis(300).toNanos());
        assertThat(jittered(Growth.CONSTANT, millis(100), 1, null).worstCaseNanos(3))
                .isEqualTo(millis(375).toNanos());
        assertThat(backoff(Growth.LINEAR, millis(100), 1, millis(250)).worstCaseNanos(4))
                .isEqualTo(millis(800).toNanos());
        assertThat(backoff(Growth.EXPONENTIAL, Duration.ofSeconds(2), 2, null).worstCaseNanos(6))
                .isEqualTo(Duration.ofSeconds(2 + 4 + 8 + 16 + 30 + 30).toNanos());
        assertThat(backoff(Growth.EXPONENTIAL, millis(200), 2, null).worstCaseNanos(0))
                .isZero();
        assertThat(backoff(Growth.CONSTANT, Backoff.LONGEST, 1, null).worstCaseNanos(1_000_000))
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noTraceIsLongerThanTheWorstCase(long seed) {
        Random random = new Random(seed);
        for (int trace = 0; trace < 3000; trace++) {
            Growth growth = List.of(Growth.values()).get(random.nextInt(3));
            Duration base = millis(1 + random.nextInt(1000));
            Backoff backoff = jittered(
                    growth,
                    base,
                    1 + random.nextInt(30) / 10.0,
                    random.nextBoolean() ? null : base.plusMillis(random.nextInt(3000)));
            int retries = 1 + random.nextInt(10);
            boolean extreme = random.nextBoolean();
            DoubleSupplier numbers = extreme ? () -> random.nextBoolean() ? .999_999_9 : 0 : random::nextDouble;
            double sum = sum(first(retries, backoff, numbers));
            assertThat(sum)
                    .as("seed %d, %s", seed, backoff)
                    .isLessThanOrEqualTo((double) backoff.worstCaseNanos(retries) + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6})
    void worstCaseOfTheDecorrelatedFormulaCanNearlyBeReached(int retries) {
        Backoff backoff = jittered(Growth.EXPONENTIAL, Duration.ofSeconds(2), 2, Duration.ofHours(1));
        double sum = sum(first(retries, backoff, () -> .999_999_999));
        assertThat(sum).isCloseTo((double) backoff.worstCaseNanos(retries), within(sum * 1e-6));
    }
}
