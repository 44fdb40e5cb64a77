package dev.recloser.tests.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.SettingsException;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterSnapshot;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the limiter decides. */
class ConcurrencyLimiterTest {

    private final CallContext context = CallContext.named("orders");

    private static ConcurrencyLimiter queueing(int maxConcurrent, int places) {
        return ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(maxConcurrent).queue(places));
    }

    private Ticket ticket(ConcurrencyLimiter limiter) {
        return (Ticket) limiter.acquire(context);
    }

    private Place place(ConcurrencyLimiter limiter) {
        return (Place) limiter.acquire(context);
    }

    private static void end(Admittance ticket) {
        ((Ticket) ticket).settle(OutcomeClass.SUCCESS, null, null);
    }

    private static void assertDemand(ConcurrencyLimiter limiter, int inFlight, int queued) {
        ConcurrencyLimiterSnapshot snapshot = limiter.snapshot();
        assertThat(snapshot.inFlight()).as("in flight").isEqualTo(inFlight);
        assertThat(snapshot.queued()).as("queued").isEqualTo(queued);
    }

    @Test
    void callBeyondTheLimitIsRejected() {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 2);
        ticket(limiter);
        ticket(limiter);
        LimitReachedException rejection = (LimitReachedException) limiter.acquire(context);
        assertThat(rejection.pipeline()).isEqualTo("orders");
        assertThat(rejection.strategy()).isEqualTo("limiter");
        assertThat(rejection.retryAfter()).isEmpty();
        assertThat(rejection).hasMessage("orders: limiter: the limit of concurrent calls is reached");
        assertDemand(limiter, 2, 0);
        assertThat(limiter.snapshot().rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void permitComesBackWhateverTheCallEndedIn(OutcomeClass outcome) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of("limiter", 1);
        ticket(limiter).settle(outcome, null, null);
        assertDemand(limiter, 0, 0);
        ticket(limiter).unused();
        assertDemand(limiter, 0, 0);
        assertThat(limiter.acquire(context)).isInstanceOf(Ticket.class);
    }

    @Test
    void whoeverCameFirstRunsFirst() {
        ConcurrencyLimiter limiter = queueing(1, 3);
        Ticket holder = ticket(limiter);
        List<Integer> turns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Place place = place(limiter);
            place.whenAnswered(() -> {
                turns.add(number);
                end(place.answer());
            });
        }
        assertDemand(limiter, 1, 3);
        end(holder);
        assertThat(turns).containsExactly(0, 1, 2);
        assertDemand(limiter, 0, 0);
    }

    @Test
    void newcomerDoesNotOvertakeOneWhoWaits() {
        ConcurrencyLimiter limiter = queueing(1, 2);
        Ticket holder = ticket(limiter);
        Place waiter = place(limiter);
        end(holder);
        assertThat(waiter.answer()).isInstanceOf(Ticket.class);
        Place newcomer = place(limiter);
        assertThat(newcomer.answer()).isNull();
        end(waiter.answer());
        assertThat(newcomer.answer()).isInstanceOf(Ticket.class);
    }

    @Test
    void callThatFindsTheQueueFullIsRejected() {
        ConcurrencyLimiter limiter = queueing(1, 1);
        ticket(limiter);
        Place waiter = place(limiter);
        assertThat(limiter.acquire(context)).isInstanceOf(LimitReachedException.class);
        assertThat(waiter.leave()).isTrue();
        assertThat(limiter.acquire(context)).isInstanceOf(Place.class);
    }

    @Test
    void waiterWhoLeavesTakesNoPermit() {
        ConcurrencyLimiter limiter = queueing(1, 3);
        Ticket holder = ticket(limiter);
        Place first = place(limiter);
        Place second = place(limiter);
        Place third = place(limiter);
        assertThat(second.leave()).isTrue();
        assertDemand(limiter, 1, 2);
        end(holder);
        assertThat(first.answer()).isInstanceOf(Ticket.class);
        assertThat(second.answer()).isNull();
        end(first.answer());
        assertThat(third.answer()).isInstanceOf(Ticket.class);
        end(third.answer());
        assertDemand(limiter, 0, 0);
        assertThat(limiter.snapshot().gaveUpWaiting()).isEqualTo(1);
    }

    @Test
    void whoeverWasGrantedThePermitCannotLeave() {
        ConcurrencyLimiter limiter = queueing(1, 1);
        Ticket holder = ticket(limiter);
        Place waiter = place(limiter);
        end(holder);
        assertThat(waiter.leave()).isFalse();
        assertDemand(limiter, 1, 0);
        assertThat(limiter.snapshot().gaveUpWaiting()).isZero();
    }

    @Test
    void placeSaysHowLongToWaitAndWhatComesThen() {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(1).queue(1).maxWait(Duration.ofMillis(250)));
        ticket(limiter);
        Place waiter = place(limiter);
        assertThat(waiter.maxWaitNanos()).isEqualTo(250_000_000);
        assertThat(waiter.leave()).isTrue();
        assertThat(waiter.expired())
                .isInstanceOf(LimitReachedException.class)
                .hasMessage("orders: limiter: the limit of concurrent calls is reached");
    }

    @Test
    void allPermitsAreFreeAfterTheWaitersGaveUp() {
        ConcurrencyLimiter limiter = queueing(8, 5);
        List<Ticket> holders = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            holders.add(ticket(limiter));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(place(limiter).leave()).isTrue();
        }
        holders.forEach(ConcurrencyLimiterTest::end);
        assertDemand(limiter, 0, 0);
        for (int i = 0; i < 8; i++) {
            ticket(limiter);
        }
    }

    /** A search for each of them would take hours. */
    @Test
    @Timeout(120)
    void halfAMillionLeaveFromTheMiddleWithoutASearch() {
        int many = 500_000;
        ConcurrencyLimiter limiter = queueing(1, many);
        Ticket holder = ticket(limiter);
        List<Place> waiters = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            waiters.add(place(limiter));
        }
        Place inTheMiddle = waiters.remove(many / 2);
        Collections.shuffle(waiters, new Random(1));
        waiters.forEach(waiter -> assertThat(waiter.leave()).isTrue());
        assertDemand(limiter, 1, 1);
        end(holder);
        assertThat(inTheMiddle.answer()).isInstanceOf(Ticket.class);
    }

    @Test
    void settingsAreNamed() {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "orders", settings -> settings.maxConcurrent(50).queue(20).maxWait(Duration.ofMillis(200)));
        assertThat(limiter.name()).isEqualTo("orders");
        assertThat(limiter).hasToString("concurrencyLimiter orders (maxConcurrent 50, queue 20, maxWait 200 ms)");
        assertThat(limiter.settings())
                .containsExactly(
                        Map.entry("maxConcurrent", "50"), Map.entry("queue", "20"), Map.entry("maxWait", "200 ms"));
        assertThat(ConcurrencyLimiter.of("orders", settings -> {}))
                .hasToString("concurrencyLimiter orders (maxConcurrent 1000, queue 0, maxWait 1 d)");
    }

    @Test
    void everythingWrongIsFoundAtOnce() {
        SettingsException refused = catchThrowableOfType(
                SettingsException.class,
                () -> ConcurrencyLimiter.of(
                        "limiter",
                        settings -> settings.maxConcurrent(0).queue(-1).maxWait(Duration.ZERO)));
        assertThat(refused.problems())
                .extracting(SettingsException.Problem::setting)
                .containsExactly("maxConcurrent", "queue", "maxWait");
    }
}
