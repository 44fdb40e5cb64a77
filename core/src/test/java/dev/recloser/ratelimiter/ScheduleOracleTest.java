package dev.recloser.ratelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both kinds of schedule against a list of all starts: the same earliest start at every step, whatever was given back before. Rates
 * are a few permits in a few nanoseconds, so that the list can try out every nanosecond. The clock overflows on the way.
 */
class ScheduleOracleTest {

    private static final int TRACES = 250;
    private static final int EVENTS = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void tokenBucket(long seed) {
        Random random = new Random(seed);
        for (int trace = 0; trace < TRACES; trace++) {
            int permits = 1 + random.nextInt(5);
            long per = (long) permits + random.nextInt(20);
            int burst = 1 + random.nextInt(6);
            long origin = Long.MAX_VALUE - random.nextInt(100);
            Schedule schedule = new TokenBucket(Refill.of(permits, per, burst), origin);
            String what = "seed " + seed + ", trace " + trace + ", " + permits + " per " + per + ", burst " + burst;
            new Trace(random, origin, schedule, NaiveSchedule.tokenBucket(permits, per, burst), per / permits)
                    .run(what);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void slidingWindow(long seed) {
        Random random = new Random(seed);
        for (int trace = 0; trace < TRACES; trace++) {
            int limit = 1 + random.nextInt(6);
            long span = 1L + random.nextInt(20);
            long origin = Long.MAX_VALUE - random.nextInt(100);
            Schedule schedule = new SlidingWindow(limit, span);
            String what = "seed " + seed + ", trace " + trace + ", " + limit + " in " + span;
            new Trace(random, origin, schedule, NaiveSchedule.slidingWindow(limit, span), span / limit + 1).run(what);
        }
    }

    /** A trace of one seed. */
    private static final class Trace {

        private final Random random;
        private final long origin;
        private final Schedule schedule;
        private final NaiveSchedule naive;
        private final int step;
        private final int givingBack;
        private final long patience;
        private final List<Long> givenAway = new ArrayList<>();
        private long now;

        Trace(Random random, long origin, Schedule schedule, NaiveSchedule.Bound bound, long interval) {
            this.random = random;
            this.origin = origin;
            this.schedule = schedule;
            this.naive = new NaiveSchedule(bound);
            this.step = 1 + (int) interval * (1 + random.nextInt(2));
            this.givingBack = random.nextInt(50);
            this.patience = random.nextInt(4) * 10L;
        }

        void run(String what) {
            for (int event = 0; event < EVENTS; event++) {
                int kind = random.nextInt(100);
                if (kind < givingBack && !givenAway.isEmpty()) {
                    giveBack();
                } else if (kind < 70) {
                    acquire(what + ", event " + event);
                } else {
                    now += random.nextInt(20) == 0 ? random.nextInt(10 * step) : random.nextInt(step);
                }
            }
            assertThat(naive.keepsBound()).as(what).isTrue();
        }

        /** Mostly one of the last. */
        private void giveBack() {
            int size = givenAway.size();
            int index = random.nextInt(3) == 0 ? random.nextInt(size) : size - 1 - random.nextInt(Math.min(4, size));
            long start = givenAway.remove(index);
            schedule.giveBack(origin + start);
            naive.giveBack(start);
        }

        private void acquire(String what) {
            if (random.nextInt(4) == 0) {
                assertThat(schedule.available(origin + now)).as(what).isEqualTo(naive.available(now));
                assertThat(schedule.waiting(origin + now)).as(what).isEqualTo(naive.waiting(now));
            }
            long start = schedule.earliest(origin + now) - origin;
            assertThat(start).as(what).isEqualTo(naive.earliest(now));
            if (start - now <= patience) {
                schedule.take(origin + start);
                naive.take(start);
                givenAway.add(start);
            }
        }
    }
}
