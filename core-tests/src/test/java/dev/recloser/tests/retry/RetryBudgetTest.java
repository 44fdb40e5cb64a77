package dev.recloser.tests.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.recloser.RetryBudget;
import dev.recloser.SettingsException;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a budget allows. */
class RetryBudgetTest {

    private final VirtualTime time = VirtualTime.create();

    private static int spendAll(RetryBudget budget) {
        int spent = 0;
        while (budget.trySpend()) {
            spent++;
        }
        return spent;
    }

    private static void call(RetryBudget budget, int times) {
        for (int i = 0; i < times; i++) {
            budget.called();
        }
    }

    @Test
    void budgetStartsFull() {
        assertThat(RetryBudget.ofDefaults(time).available()).isEqualTo(100);
        assertThat(spendAll(RetryBudget.ofDefaults(time))).isEqualTo(100);
        assertThat(spendAll(RetryBudget.of(b -> b.ratio(.1).minimumPerSecond(0).maximumSaved(1), time)))
                .isEqualTo(1);
    }

    @Test
    void everyFifthCallAllowsOneMore() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(.2).minimumPerSecond(0).maximumSaved(100), time);
        spendAll(budget);
        call(budget, 4);
        assertThat(budget.trySpend()).isFalse();
        call(budget, 1);
        assertThat(budget.trySpend()).isTrue();
        assertThat(budget.trySpend()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {.1, .01, .001})
    void fractionsAddUpToWholeAttempts(double ratio) {
        RetryBudget budget =
                RetryBudget.of(b -> b.ratio(ratio).minimumPerSecond(0).maximumSaved(10), time);
        spendAll(budget);
        int calls = (int) Math.round(1 / ratio);
        for (int i = 1; i <= calls; i++) {
            assertThat(budget.trySpend()).as("after %d calls", i - 1).isFalse();
            budget.called();
        }
        assertThat(budget.trySpend()).isTrue();
    }

    @Test
    void timeAllowsSomeWithoutCalls() {
        RetryBudget budget = RetryBudget.ofDefaults(time);
        spendAll(budget);
        time.advance(Duration.ofNanos(99_999_999));
        assertThat(budget.trySpend()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(budget.trySpend()).isTrue();
        time.advance(Duration.ofSeconds(2));
        assertThat(spendAll(budget)).isEqualTo(20);
    }

    @Test
    void rateBelowOnePerSecondIsKept() {
        RetryBudget budget =
                RetryBudget.of(b -> b.ratio(0).minimumPerSecond(1.0 / 3600).maximumSaved(1), time);
        spendAll(budget);
        for (int i = 0; i < 3599; i++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(budget.trySpend()).isFalse();
        }
        time.advance(Duration.ofSeconds(2));
        assertThat(budget.trySpend()).isTrue();
    }

    @Test
    void noMoreIsSavedThanTheMaximum() {
        RetryBudget budget =
                RetryBudget.of(b -> b.ratio(10).minimumPerSecond(1_000_000).maximumSaved(1_000_000), time);
        call(budget, 1000);
        time.advance(Duration.ofDays(100_000));
        assertThat(budget.available()).isEqualTo(1_000_000);
        RetryBudget small =
                RetryBudget.of(b -> b.ratio(10).minimumPerSecond(1_000_000).maximumSaved(1.5), time);
        call(small, 1000);
        assertThat(spendAll(small)).isEqualTo(1);
        call(small, 1000);
        time.advance(Duration.ofDays(100_000));
        assertThat(small.available()).isEqualTo(1.5);
    }

    @Test
    void callsWhileItIsFullSaveNothingAndCallsAfterTheFirstAttemptDo() {
        RetryBudget budget = RetryBudget.of(b -> b.ratio(.5).minimumPerSecond(0).maximumSaved(10), time);
        call(budget, 10_000);
        assertThat(budget.trySpend()).isTrue();
        assertThat(budget.available()).isEqualTo(9);
        call(budget, 1);
        assertThat(budget.available()).isEqualTo(9.5);
        call(budget, 5000);
        assertThat(spendAll(budget)).isEqualTo(10);
        call(budget, 1);
        assertThat(budget.available()).isEqualTo(.5);
    }

    @Test
    void overflowOfTheClockChangesNothing() {
        VirtualTime late = VirtualTime.create().startingAt(Long.MAX_VALUE - 50_000_000);
        RetryBudget budget = RetryBudget.ofDefaults(late);
        spendAll(budget);
        late.advance(Duration.ofMillis(100));
        assertThat(late.nanoTime()).isNegative();
        assertThat(spendAll(budget)).isEqualTo(1);
        late.advance(Duration.ofMillis(400));
        assertThat(spendAll(budget)).isEqualTo(4);
    }

    @Test
    void numbersOutOfRangeAreAllNamed() {
        assertThatThrownBy(() -> RetryBudget.of(
                        b -> b.ratio(-.1).minimumPerSecond(Double.NaN).maximumSaved(.5), time))
                .isInstanceOf(SettingsException.class)
                .hasMessage("ratio is -0.1, must be from 0 to 10;"
                        + " minimumPerSecond is NaN, must be from 0 to 1000000;"
                        + " maximumSaved is 0.5, must be from 1 to 1000000");
    }

    @Test
    void budgetSaysWhatItAllows() {
        assertThat(RetryBudget.ofDefaults(time))
                .hasToString("retryBudget (ratio 0.2, minimumPerSecond 10.0, maximumSaved 100.0)");
    }

    /**
     * The definition itself: one more is allowed if, in every span that ends now, the repeated attempts stay within ratio x calls +
     * minimumPerSecond x seconds + maximumSaved. In thousandths of a millionth of an attempt, in which every number here is whole.
     */
    private static final class NaiveBudget {

        private static final long ONE = 1_000_000_000;

        private record Event(long nanos, long brings) {}

        final long byCall;
        final long byNano;
        final long most;
        final List<Event> events = new ArrayList<>();

        NaiveBudget(int thousandths, int perSecond, int most) {
            this.byCall = thousandths * (ONE / 1000);
            this.byNano = perSecond;
            this.most = most * ONE;
        }

        void called(long now) {
            events.add(new Event(now, byCall));
        }

        boolean trySpend(long now) {
            long brought = 0;
            long since = now;
            for (int i = events.size() - 1; i >= 0; i--) {
                Event event = events.get(i);
                brought += event.brings() + (since - event.nanos()) * byNano;
                since = event.nanos();
                // The span begins right before this event.
                if (brought - ONE + most < 0) {
                    return false;
                }
            }
            events.add(new Event(now, -ONE));
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everySpanIsWithinTheBound(long seed) {
        Random random = new Random(seed);
        VirtualTime clock = VirtualTime.create().startingAt(Long.MAX_VALUE - random.nextInt(1_000_000_000));
        int thousandths = random.nextInt(seed % 2 == 0 ? 600 : 300);
        int perSecond = seed % 3 == 0 ? 0 : random.nextInt(20);
        int most = 1 + random.nextInt(15);
        RetryBudget budget = RetryBudget.of(
                b -> b.ratio(thousandths / 1000.0).minimumPerSecond(perSecond).maximumSaved(most), clock);
        NaiveBudget naive = new NaiveBudget(thousandths, perSecond, most);
        int granted = 0;
        int refused = 0;
        for (int event = 0; event < 6000; event++) {
            // Now and then only calls come, until nothing more can be saved and they are not counted any more.
            boolean quiet = event % 2000 < 1200 && seed % 4 < 2;
            int kind = quiet ? 5 : random.nextInt(10);
            if (kind < 4) {
                clock.advance(Duration.ofMillis(random.nextInt(event % 100 == 0 ? 3000 : 15)));
                clock.advance(Duration.ofNanos(random.nextInt(3)));
            } else if (kind < 7) {
                budget.called();
                naive.called(clock.elapsed().toNanos());
            } else {
                boolean allowed = naive.trySpend(clock.elapsed().toNanos());
                assertThat(budget.trySpend())
                        .as("seed %d, event %d, %s", seed, event, budget)
                        .isEqualTo(allowed);
                granted += allowed ? 1 : 0;
                refused += allowed ? 0 : 1;
            }
        }
        assertThat(granted).as("granted, or the trace tests nothing").isPositive();
        assertThat(refused).as("refused, or the trace tests nothing").isPositive();
    }

    @Test
    void nothingIsLostOrSpentTwiceByThreads() throws Exception {
        int threads = 4;
        int rounds = 20_000;
        RetryBudget budget =
                RetryBudget.of(b -> b.ratio(.2).minimumPerSecond(10).maximumSaved(1_000_000), time);
        int before = spendAll(budget);
        LongAdder spent = new LongAdder();
        CyclicBarrier barrier = new CyclicBarrier(threads);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(() -> {
                await(barrier);
                for (int round = 0; round < rounds; round++) {
                    budget.called();
                    if (round % 3 == 0 && budget.trySpend()) {
                        spent.increment();
                    }
                }
            });
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(before).isEqualTo(1_000_000);
        assertThat(spent.sum() + budget.available()).isCloseTo(.2 * threads * rounds, within(1e-6));
        assertThat(spent.sum()).isPositive();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
