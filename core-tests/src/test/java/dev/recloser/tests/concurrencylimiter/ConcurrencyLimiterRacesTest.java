package dev.recloser.tests.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterSnapshot;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import dev.recloser.tests.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads on one limiter. The finer races are tested with jcstress. */
@Timeout(120)
class ConcurrencyLimiterRacesTest {

    private static final int ROUNDS = 1_000_000;
    private static final int ROW = 100;
    private static final int THREADS = 4;

    private final CallContext context = CallContext.named("p");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicInteger mostHolders = new AtomicInteger();
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong left = new AtomicLong();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /**
     * The one holder gives its permit back while the one waiter leaves, a million times. The two threads go along a row of limiters, and
     * wait for each other at its end only, so that it takes seconds where the cores are shared.
     */
    @Test
    void permitIsNeitherLostNorDoubledWhenTheWaiterLeavesAsItIsGranted() throws Exception {
        List<ConcurrencyLimiter> row = IntStream.range(0, ROW)
                .mapToObj(i -> ConcurrencyLimiter.of(
                        "limiter", settings -> settings.maxConcurrent(1).queue(1)))
                .toList();
        Ticket[] holding = new Ticket[ROW];
        Place[] waiting = new Place[ROW];
        AtomicInteger started = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        AtomicInteger finished = new AtomicInteger();
        Future<?> leaver = threads.submit(() -> {
            for (int round = 1; round <= ROUNDS / ROW; round++) {
                await(started, round);
                seen.set(round);
                for (Place place : waiting) {
                    leave(place);
                }
                finished.set(round);
            }
        });
        for (int round = 1; round <= ROUNDS / ROW; round++) {
            for (int i = 0; i < ROW; i++) {
                holding[i] = (Ticket) row.get(i).acquire(context);
                waiting[i] = (Place) row.get(i).acquire(context);
            }
            started.set(round);
            if (round % 2 == 0) {
                // In half of the rounds the leaver is first to start, in the others it is late.
                await(seen, round);
            }
            for (Ticket ticket : holding) {
                end(ticket);
            }
            await(finished, round);
            for (ConcurrencyLimiter limiter : row) {
                ConcurrencyLimiterSnapshot snapshot = limiter.snapshot();
                assertThat(snapshot.inFlight() + snapshot.queued()).isZero();
            }
        }
        leaver.get();
        assertThat(row.stream()
                        .mapToLong(limiter -> limiter.snapshot().gaveUpWaiting())
                        .sum())
                .isEqualTo(left.get());
        assertThat(left.get()).isBetween(1L, ROUNDS - 1L);
    }

    private void leave(Place place) {
        if (place.leave()) {
            left.incrementAndGet();
        } else {
            end(place.answer());
        }
    }

    private static void await(AtomicInteger number, int value) {
        Await.until(() -> number.get() >= value);
    }

    @Test
    void neverMoreRunThanThereArePermitsHoweverManyWaitAndLeave() throws Exception {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(2).queue(THREADS));
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(comeAndGo(limiter, i)));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
        assertThat(mostHolders.get()).isLessThanOrEqualTo(2);
        assertThat(granted.get() + left.get()).isEqualTo(ROUNDS / THREADS * THREADS);
        assertThat(limiter.snapshot().inFlight()).isZero();
        assertThat(limiter.snapshot().queued()).isZero();
        assertThat(limiter.snapshot().rejected()).isZero();
        assertThat(limiter.snapshot().gaveUpWaiting()).isEqualTo(left.get());
    }

    private Callable<Object> comeAndGo(ConcurrencyLimiter limiter, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> {
            for (int i = 0; i < ROUNDS / THREADS; i++) {
                Admittance answer = limiter.acquire(context);
                if (answer instanceof Place place) {
                    for (int spins = random.nextInt(200); spins > 0; spins--) {
                        Thread.onSpinWait();
                    }
                    if (place.leave()) {
                        left.incrementAndGet();
                        continue;
                    }
                    answer = place.answer();
                }
                hold((Ticket) answer, random.nextInt(100));
            }
            return null;
        };
    }

    private void hold(Ticket ticket, int spins) {
        granted.incrementAndGet();
        mostHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        holders.decrementAndGet();
        end(ticket);
    }

    private static void end(Admittance ticket) {
        ((Ticket) ticket).settle(OutcomeClass.SUCCESS, null, null);
    }
}
