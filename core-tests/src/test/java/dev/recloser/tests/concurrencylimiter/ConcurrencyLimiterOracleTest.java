package dev.recloser.tests.concurrencylimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limiter against a naive one, which is a count and a list, over random traces. */
class ConcurrencyLimiterOracleTest {

    private static final int STEPS = 20_000;

    private final CallContext context = CallContext.named("p");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void decidesAsTheNaiveLimiterDoes(long seed) {
        Random random = new Random(seed);
        decidesAsTheNaiveLimiterDoes(random, 1 + random.nextInt(5), random.nextInt(6));
    }

    /** Large enough for spare permits; the tide takes it to its limit and far away from it again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aLargeOneDoesSoToo(long seed) {
        Random random = new Random(seed);
        decidesAsTheNaiveLimiterDoes(random, 16 + random.nextInt(60), random.nextInt(6));
    }

    private void decidesAsTheNaiveLimiterDoes(Random random, int permits, int places) {
        ConcurrencyLimiter limiter = ConcurrencyLimiter.of(
                "limiter", settings -> settings.maxConcurrent(permits).queue(places));
        List<Ticket> held = new ArrayList<>();
        List<Place> waiting = new ArrayList<>();
        long rejected = 0;
        long gaveUp = 0;
        for (int step = 0; step < STEPS; step++) {
            boolean isEbb = step / 1000 % 2 == 1;
            int choice = random.nextInt(10);
            if (choice < (isEbb ? 3 : 5)) {
                Admittance answer = limiter.acquire(context);
                if (held.size() < permits) {
                    held.add((Ticket) answer);
                } else if (waiting.size() < places) {
                    assertThat(((Place) answer).answer()).isNull();
                    waiting.add((Place) answer);
                } else {
                    assertThat(answer).isInstanceOf(LimitReachedException.class);
                    rejected++;
                }
            } else if (choice < 8 && !held.isEmpty()) {
                end(held.remove(random.nextInt(held.size())), random);
                if (!waiting.isEmpty()) {
                    held.add((Ticket) waiting.remove(0).answer());
                }
            } else if (choice >= 8 && !waiting.isEmpty()) {
                assertThat(waiting.remove(random.nextInt(waiting.size())).leave())
                        .isTrue();
                gaveUp++;
            }
            assertThat(held).doesNotContainNull();
            assertThat(waiting).allMatch(place -> place.answer() == null);
            assertThat(limiter.snapshot().inFlight()).isEqualTo(held.size());
            assertThat(limiter.snapshot().queued()).isEqualTo(waiting.size());
        }
        assertThat(limiter.snapshot().rejected()).isEqualTo(rejected);
        assertThat(limiter.snapshot().gaveUpWaiting()).isEqualTo(gaveUp);
    }

    private static void end(Ticket ticket, Random random) {
        if (random.nextBoolean()) {
            ticket.settle(OutcomeClass.SUCCESS, null, null);
        } else {
            ticket.unused();
        }
    }
}
