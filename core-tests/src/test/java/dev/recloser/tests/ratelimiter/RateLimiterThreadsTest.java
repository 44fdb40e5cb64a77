package dev.recloser.tests.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.ratelimiter.RateLimiterSnapshot;
import dev.recloser.spi.Ticket;
import dev.recloser.tests.Calling;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads on one limiter. The finer races are tested with jcstress. */
@Timeout(120)
class RateLimiterThreadsTest {

    private static final int THREADS = 8;
    private static final int LIMIT = 5000;
    private static final int ROUNDS = 4000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CyclicBarrier start = new CyclicBarrier(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** The clock stands still, so there are as many permits as the limit says, and those that are given back. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void permitsAreNeitherLostNorDoubled(boolean bucket) throws Exception {
        Consumer<RateLimiterBuilder> kind = bucket
                ? r -> r.tokenBucket(10, Duration.ofSeconds(1)).burst(LIMIT)
                : r -> r.slidingWindow(LIMIT, Duration.ofSeconds(1));
        RateLimiter limiter = RateLimiter.of("r", kind, VirtualTime.create());
        List<Future<Integer>> kept = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            kept.add(threads.submit(calls(limiter, new Random(thread))));
        }
        int begun = 0;
        for (Future<Integer> future : kept) {
            begun += future.get();
        }
        while (limiter.acquire(Calling.FREELY) instanceof Ticket) {
            begun++;
        }
        assertThat(begun).isEqualTo(LIMIT);
        RateLimiterSnapshot seen = limiter.snapshot();
        assertThat(seen.admitted() - seen.unused()).isEqualTo(LIMIT);
        assertThat(seen.available()).isZero();
    }

    /** How many calls began. Few permits are held at a time, so each can be given back. */
    private Callable<Integer> calls(RateLimiter limiter, Random random) {
        return () -> {
            start.await();
            int begun = 0;
            for (int round = 0; round < ROUNDS; round++) {
                if (limiter.acquire(Calling.FREELY) instanceof Ticket ticket) {
                    if (random.nextInt(10) == 0) {
                        ticket.settle(OutcomeClass.SUCCESS, null, null);
                        begun++;
                    } else {
                        ticket.unused();
                    }
                }
            }
            return begun;
        };
    }
}
