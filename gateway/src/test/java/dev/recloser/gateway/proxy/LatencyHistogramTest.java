package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A histogram says of the times that it was given what a list of all of them says. */
class LatencyHistogramTest {

    private static final long SEED = 20_261_130;
    private static final String[] PREFERRED = {"1", "1.25", "1.6", "2", "2.5", "3.15", "4", "5", "6.3", "8"};

    /** All boundaries, by the words of the documentation. */
    private static List<Long> boundaries() {
        List<Long> nanos = new ArrayList<>();
        for (int decade = 4; decade < 11; decade++) {
            for (String number : PREFERRED) {
                nanos.add(new BigDecimal(number).movePointRight(decade).longValueExact());
            }
        }
        nanos.add(100_000_000_000L);
        return nanos;
    }

    /** Times from below a microsecond to above 100 s, as many in each decade, and all boundaries and their neighbours. */
    private static List<Long> times() {
        Random random = new Random(SEED);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            times.add((long) Math.pow(10, 2 + random.nextDouble() * 9.5));
        }
        for (long boundary : boundaries()) {
            times.addAll(List.of(boundary - 1, boundary, boundary + 1));
        }
        times.addAll(List.of(0L, 1L, Long.MAX_VALUE / 1_000_000));
        Collections.shuffle(times, random);
        return times;
    }

    private static LatencySnapshot recorded(List<Long> times) {
        LatencyHistogram histogram = new LatencyHistogram();
        times.forEach(histogram::record);
        return histogram.snapshot();
    }

    @Test
    void countsAndSumsAreThoseOfAList() {
        List<Long> times = times();
        LatencySnapshot snapshot = recorded(times);
        assertThat(snapshot.count()).isEqualTo(times.size());
        assertThat(snapshot.sumNanos())
                .isEqualTo(times.stream().mapToLong(Long::longValue).sum());
        for (long boundary : boundaries()) {
            long naive = times.stream().filter(time -> time <= boundary).count();
            assertThat(snapshot.upTo(boundary)).as("up to %s ns", boundary).isEqualTo(naive);
        }
    }

    @Test
    void percentilesAreInTheBucketOfTheOneFromASortedList() {
        List<Long> times = times();
        LatencySnapshot snapshot = recorded(times);
        Collections.sort(times);
        for (double percent : new double[] {0.1, 1, 10, 25, 50, 75, 90, 95, 97}) {
            int rank = (int) Math.ceil(percent / 100 * times.size());
            int bucket = LatencyBoundaries.bucket(times.get(rank - 1));
            assertThat(snapshot.percentile(percent))
                    .as("%s %%", percent)
                    .isBetween(LatencyBoundaries.start(bucket), LatencyBoundaries.end(bucket));
        }
        assertThat(snapshot.percentile(100)).isEqualTo(100_000_000_000L);
    }

    @Test
    void aPercentileIsInterpolatedWithinItsBucket() {
        LatencySnapshot evenly = recorded(LongStream.rangeClosed(1, 1000)
                .map(i -> 1_000_000 + i * 250)
                .boxed()
                .toList());
        assertThat(evenly.percentile(50)).isCloseTo(1_125_000, within(500L));
        assertThat(evenly.percentile(99)).isCloseTo(1_247_500, within(500L));
        assertThat(evenly.percentile(100)).isEqualTo(1_250_000);
    }

    @Test
    void nothingHasNoPercentile() {
        assertThat(LatencySnapshot.EMPTY.percentile(99)).isZero();
        assertThat(LatencySnapshot.EMPTY.count()).isZero();
    }

    @Test
    void aWindowIsWhatLiesBetweenTwoLooks() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.record(5_000_000);
        LatencySnapshot first = histogram.snapshot();
        histogram.record(70_000_000);
        LatencySnapshot window = histogram.snapshot().minus(first);
        assertThat(window.count()).isEqualTo(1);
        assertThat(window.sumNanos()).isEqualTo(70_000_000);
        assertThat(window.percentile(50)).isBetween(63_000_000L, 80_000_000L);
        assertThat(window.plus(first).upTo(5_000_000)).isEqualTo(1);
    }

    @Test
    void aTimeThatIsNegativeCountsAsNone() {
        assertThat(recorded(List.of(-5L)).upTo(10_000)).isEqualTo(1);
        assertThat(recorded(List.of(-5L)).sumNanos()).isZero();
    }

    @Test
    void onlyBoundariesAndPercentsCanBeAskedFor() {
        assertThatThrownBy(() -> LatencySnapshot.EMPTY.upTo(3_000_000)).hasMessageContaining("3000000 ns");
        assertThatThrownBy(() -> LatencySnapshot.EMPTY.percentile(101)).hasMessageContaining("from 0 to 100");
        assertThatThrownBy(() -> LatencySnapshot.EMPTY.percentile(Double.NaN)).hasMessageContaining("from 0 to 100");
    }
}
