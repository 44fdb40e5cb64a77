package dev.recloser.tests.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.RateExceededException;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.ratelimiter.RateLimiterSnapshot;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Ticket;
import dev.recloser.tests.Calling;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a rate limiter decides, case by case. */
class RateLimiterCasesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private RateLimiter limiter(Consumer<RateLimiterBuilder> settings) {
        return RateLimiter.of("orders", settings, time);
    }

    private static Admittance acquire(RateLimiter limiter) {
        return limiter.acquire(Calling.FREELY);
    }

    private static Ticket permit(RateLimiter limiter) {
        Admittance answer = acquire(limiter);
        assertThat(answer).isInstanceOf(Ticket.class).isNotInstanceOf(Reservation.class);
        return (Ticket) answer;
    }

    private static Reservation reservation(RateLimiter limiter, Duration wait) {
        Admittance answer = acquire(limiter);
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Reservation.class,
                        reserved -> assertThat(Duration.ofNanos(reserved.waitNanos()))
                                .isEqualTo(wait));
        return (Reservation) answer;
    }

    private static void assertRejected(Admittance answer, Duration retryAfter) {
        assertThat(answer).isInstanceOfSatisfying(RateExceededException.class, rejection -> {
            assertThat(rejection.pipeline()).isEqualTo("p");
            assertThat(rejection.strategy()).isEqualTo("orders");
            assertThat(rejection.retryAfter()).contains(retryAfter);
        });
    }

    @Test
    void slidingWindowHasNoEdgeAtWhichTwiceTheLimitPasses() {
        RateLimiter limiter = limiter(r -> r.slidingWindow(10, SECOND));
        time.advance(Duration.ofMillis(999));
        for (int i = 0; i < 10; i++) {
            permit(limiter);
        }
        time.advance(Duration.ofMillis(2));
        for (int i = 0; i < 10; i++) {
            assertRejected(acquire(limiter), Duration.ofMillis(998));
        }
        time.advance(Duration.ofMillis(998));
        permit(limiter);
    }

    @Test
    void impossibleWaitIsRejectedAtOnceWithTheTimeUntilThereIsAPermit() {
        for (RateLimiter limiter : new RateLimiter[] {
            limiter(r -> r.tokenBucket(1, Duration.ofMinutes(1)).maxWait(Duration.ofMillis(700))),
            limiter(r -> r.slidingWindow(1, Duration.ofMinutes(1)).maxWait(Duration.ofMillis(700)))
        }) {
            permit(limiter);
            time.advance(Duration.ofMillis(10));
            assertRejected(acquire(limiter), Duration.ofMillis(59_990));
            assertThat(limiter.snapshot()).isEqualTo(new RateLimiterSnapshot("orders", 0, 0, 1, 0, 1));
        }
    }

    @Test
    void reservationOfAWaiterWhoLeavesIsGivenBack() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND).burst(1).maxWait(Duration.ofSeconds(2)));
        permit(limiter);
        reservation(limiter, SECOND);
        Reservation last = reservation(limiter, Duration.ofSeconds(2));
        assertRejected(acquire(limiter), Duration.ofSeconds(3));
        last.unused();
        reservation(limiter, Duration.ofSeconds(2));
    }

    @Test
    void nextCallerGetsTheEarliestTimeThatWasGivenBackAndTheOthersKeepTheirs() {
        RateLimiter limiter = limiter(r -> r.slidingWindow(1, SECOND).maxWait(Duration.ofMinutes(1)));
        permit(limiter);
        Reservation first = reservation(limiter, SECOND);
        Reservation second = reservation(limiter, Duration.ofSeconds(2));
        reservation(limiter, Duration.ofSeconds(3));
        second.unused();
        first.unused();
        time.advance(Duration.ofMillis(500));
        reservation(limiter, Duration.ofMillis(500));
        reservation(limiter, Duration.ofMillis(1500));
        reservation(limiter, Duration.ofMillis(3500));
    }

    @Test
    void permitOfACallThatNeverBeganIsFreeAtOnce() {
        for (RateLimiter limiter :
                new RateLimiter[] {limiter(r -> r.tokenBucket(2, SECOND)), limiter(r -> r.slidingWindow(2, SECOND))}) {
            permit(limiter);
            Ticket unused = permit(limiter);
            time.advance(Duration.ofMillis(1));
            unused.unused();
            permit(limiter);
            assertThat(acquire(limiter)).isInstanceOf(RateExceededException.class);
            assertThat(limiter.snapshot()).isEqualTo(new RateLimiterSnapshot("orders", 0, 0, 3, 1, 1));
        }
    }

    @Test
    void permitIsGivenBackOnce() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(2, SECOND));
        Ticket unused = permit(limiter);
        permit(limiter);
        unused.unused();
        unused.unused();
        permit(limiter);
        assertThat(acquire(limiter)).isInstanceOf(RateExceededException.class);
        assertThat(limiter.snapshot().unused()).isEqualTo(1);
    }

    @Test
    void callThatHasEndedHasSpentItsPermit() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND));
        Ticket ended = permit(limiter);
        ended.settle(OutcomeClass.SUCCESS, "value", null);
        ended.unused();
        assertRejected(acquire(limiter), SECOND);
    }

    @Test
    void permitThatABucketHasRefilledSinceIsNotGivenBackTwice() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(2, SECOND));
        Ticket old = permit(limiter);
        time.advance(Duration.ofSeconds(5));
        permit(limiter);
        permit(limiter);
        old.unused();
        assertRejected(acquire(limiter), Duration.ofMillis(500));
    }

    @Test
    void bucketForgetsPermitsThatAreFarBackAndTakesBackTheLatest() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND).burst(2000));
        Ticket oldest = permit(limiter);
        time.advance(Duration.ofNanos(1));
        for (int i = 0; i < 1998; i++) {
            permit(limiter);
        }
        time.advance(Duration.ofNanos(1));
        Ticket latest = permit(limiter);
        oldest.unused();
        assertRejected(acquire(limiter), SECOND.minusNanos(2));
        latest.unused();
        permit(limiter);
        assertRejected(acquire(limiter), SECOND.minusNanos(2));
    }

    @Test
    void bucketStartsFullAndIsRefilledSteadily() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(10, SECOND).burst(3));
        assertThat(limiter.snapshot().available()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            permit(limiter);
        }
        assertRejected(acquire(limiter), Duration.ofMillis(100));
        time.advance(Duration.ofMillis(100));
        permit(limiter);
        assertRejected(acquire(limiter), Duration.ofMillis(100));
        time.advance(Duration.ofMillis(299));
        assertThat(limiter.snapshot().available()).isEqualTo(2);
        time.advance(Duration.ofDays(400));
        assertThat(limiter.snapshot().available()).isEqualTo(3);
    }

    @Test
    void waitMustEndBeforeTheDeadline() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND).burst(1).maxWait(Duration.ofDays(1)));
        permit(limiter);
        assertRejected(limiter.acquire(Calling.with(SECOND)), SECOND);
        assertRejected(limiter.acquire(Calling.with(Duration.ZERO)), SECOND);
        assertThat(limiter.acquire(Calling.with(SECOND.plusNanos(1)))).isInstanceOf(Reservation.class);
    }

    @Test
    void waitMayBeAsLongAsTheMaximum() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND).burst(1).maxWait(SECOND));
        permit(limiter);
        reservation(limiter, SECOND);
        assertRejected(acquire(limiter), Duration.ofSeconds(2));
    }

    @Test
    void waitersAreServedInTheOrderInWhichTheyAsked() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(4, SECOND).burst(1).maxWait(SECOND));
        permit(limiter);
        for (int i = 1; i <= 4; i++) {
            reservation(limiter, Duration.ofMillis(250L * i));
        }
        assertThat(limiter.snapshot().waiting()).isEqualTo(4);
        assertThat(limiter.snapshot().available()).isZero();
        time.advance(Duration.ofMillis(500));
        assertThat(limiter.snapshot().waiting()).isEqualTo(2);
        assertRejected(limiter.acquire(Calling.with(Duration.ofMillis(100))), Duration.ofMillis(750));
        reservation(limiter, Duration.ofMillis(750));
    }

    @Test
    void permitGivenBackIsFreeAtOnceAlsoWhereOthersWait() {
        RateLimiter limiter = limiter(r -> r.tokenBucket(1, SECOND).burst(2).maxWait(Duration.ofMinutes(1)));
        permit(limiter);
        Ticket unused = permit(limiter);
        reservation(limiter, SECOND);
        reservation(limiter, Duration.ofSeconds(2));
        unused.unused();
        assertThat(limiter.snapshot().available()).isEqualTo(1);
        permit(limiter);
        reservation(limiter, Duration.ofSeconds(3));
    }
}
