package dev.recloser.tests.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.RateExceededException;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Ticket;
import dev.recloser.tests.Calling;
import dev.recloser.time.VirtualTime;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long traces at real rates: the bound holds in every span, and no permit is lost. The clock overflows on the way. */
class RateLimiterBoundTest {

    private static final int EVENTS = 30_000;

    /** A call that was let in, and when it begins, in nanoseconds since the start. */
    private record Begun(long start, Ticket ticket) {}

    /** The textbook's algorithm, in units of a part of a nanosecond. */
    private static final class ExactBucket {

        private final BigInteger permits;
        private final BigInteger per;
        private final BigInteger tolerance;
        private BigInteger arrival = BigInteger.ZERO;

        ExactBucket(long permits, Duration per, long burst) {
            this.permits = BigInteger.valueOf(permits);
            this.per = BigInteger.valueOf(per.toNanos());
            this.tolerance = this.per.multiply(BigInteger.valueOf(burst - 1));
        }

        long earliest(long now) {
            BigInteger[] whole = arrival.subtract(tolerance).divideAndRemainder(permits);
            return Math.max(now, whole[0].longValueExact() + (whole[1].signum() > 0 ? 1 : 0));
        }

        boolean take(long start) {
            boolean conforms = earliest(start) == start;
            arrival = arrival.max(BigInteger.valueOf(start).multiply(permits)).add(per);
            return conforms;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1000000000, 3", "7, 86400000000000, 7", "1000000, 1000000000, 50", "1000000000, 1000000000, 4",
        "99999, 86400000000000, 3000", "999999937, 86400000000000, 2", "300000000, 1000000000, 1", "10, 1000, 2000"
    })
    void bucketIsTheExactOneWhereNothingIsGivenBack(int permits, long per, int burst) {
        ExactBucket exact = new ExactBucket(permits, Duration.ofNanos(per), burst);
        trace(
                r -> r.tokenBucket(permits, Duration.ofNanos(per)).burst(burst),
                per / permits,
                0,
                now -> exact.earliest(now),
                start -> assertThat(exact.take(start)).isTrue());
    }

    @ParameterizedTest
    @CsvSource({"3, 1000000000, 3", "1000000, 1000000000, 50", "99999, 86400000000000, 3000", "7, 1000, 1"})
    void bucketKeepsItsBoundWhateverIsGivenBack(int permits, long per, int burst) {
        List<Begun> begun = trace(
                r -> r.tokenBucket(permits, Duration.ofNanos(per)).burst(burst), per / permits, 20, null, start -> {});
        ExactBucket exact = new ExactBucket(permits, Duration.ofNanos(per), burst);
        assertThat(begun).hasSizeGreaterThan(1000).allMatch(call -> exact.take(call.start()));
    }

    @ParameterizedTest
    @CsvSource({"1, 1000000000, 0", "10, 1000000000, 0", "1000, 1000000000, 0", "1, 1000, 20", "300, 60000000000, 20"})
    void windowKeepsItsBoundAndRejectsNobodyWithoutNeed(int limit, long span, int givenBack) {
        List<Long> starts = new ArrayList<>();
        LongUnaryOperator earliest = now -> {
            long last = starts.isEmpty() ? now : Math.max(now, starts.get(starts.size() - 1));
            return starts.size() < limit ? last : Math.max(last, starts.get(starts.size() - limit) + span);
        };
        List<Begun> begun = trace(
                r -> r.slidingWindow(limit, Duration.ofNanos(span)),
                span / limit,
                givenBack,
                givenBack == 0 ? earliest : null,
                starts::add);
        for (int i = 0; i + limit < begun.size(); i++) {
            assertThat(begun.get(i + limit).start() - begun.get(i).start()).isGreaterThanOrEqualTo(span);
        }
        assertThat(begun).hasSizeGreaterThan(1000);
    }

    /** Those that were not given back, in the order of their starts. */
    private static List<Begun> trace(
            Consumer<RateLimiterBuilder> kind,
            long interval,
            int givenBack,
            LongUnaryOperator expected,
            LongConsumer taken) {
        Random random = new Random(interval + givenBack);
        long origin = Long.MAX_VALUE - EVENTS / 8 * interval;
        VirtualTime time = VirtualTime.create().startingAt(origin);
        Duration maxWait =
                Duration.ofNanos(Math.min(interval * 20, Duration.ofDays(1).toNanos()));
        RateLimiter limiter = RateLimiter.of("r", r -> kind.accept(r.maxWait(maxWait)), time);
        List<Begun> begun = new ArrayList<>();
        for (int event = 0; event < EVENTS; event++) {
            long now = time.nanoTime() - origin;
            int dice = random.nextInt(100);
            if (dice < givenBack && !begun.isEmpty()) {
                int back = Math.min(begun.size(), 1 + random.nextInt(random.nextInt(20) == 0 ? 2000 : 10));
                begun.remove(begun.size() - back).ticket().unused();
            } else if (dice < 70) {
                Admittance answer = limiter.acquire(Calling.FREELY);
                long start = now + waitNanos(answer);
                if (expected != null) {
                    assertThat(start).isEqualTo(expected.applyAsLong(now));
                }
                if (answer instanceof Ticket ticket) {
                    begun.add(new Begun(start, ticket));
                    taken.accept(start);
                } else {
                    assertThat(start - now).isGreaterThan(maxWait.toNanos());
                }
            } else {
                long step = random.nextInt(200) == 0 ? interval * 50 : interval * 3 + 2;
                time.advance(Duration.ofNanos(random.nextLong(step)));
            }
        }
        begun.sort((a, b) -> Long.compare(a.start(), b.start()));
        return begun;
    }

    private static long waitNanos(Admittance answer) {
        if (answer instanceof RateExceededException rejection) {
            return rejection.retryAfter().orElseThrow().toNanos();
        }
        return answer instanceof Reservation reservation ? reservation.waitNanos() : 0;
    }

    @Test
    void rateThatIsNoWholeNumberOfNanosecondsDoesNotDrift() {
        VirtualTime time = VirtualTime.create().startingAt(Long.MAX_VALUE - 5);
        RateLimiter limiter =
                RateLimiter.of("r", r -> r.tokenBucket(3, Duration.ofSeconds(1)).maxWait(Duration.ofDays(1)), time);
        Admittance last = null;
        for (int i = 0; i < 3 + 3 * 10_000; i++) {
            last = limiter.acquire(Calling.FREELY);
        }
        assertThat(waitNanos(last)).isEqualTo(Duration.ofSeconds(10_000).toNanos());
    }
}
