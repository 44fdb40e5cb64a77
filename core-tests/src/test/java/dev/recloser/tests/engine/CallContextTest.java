package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults of what work sees of its call, and of what rejections remember. */
@Timeout(60)
class CallContextTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();

    /** Nobody has cut a winner. */
    @ParameterizedTest
    @MethodSource(MODES)
    void contextOfAHedgedCallThatSucceededIsNotCancelled(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .hedging(h -> h.withoutBudget())
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        CallContext context = call.context(1);
        assertThat(call.succeed(1, "fine").value()).isEqualTo("fine");
        AtomicInteger hooks = new AtomicInteger();
        context.onCancel(hooks::incrementAndGet);
        assertThat(hooks).as("hooks run").hasValue(0);
        assertThat(context.isCancelled()).isFalse();
    }

    /** An exception that the work threw, be it a rejection of another pipeline, is not changed. */
    @Test
    void rejectionOfANestedPipelineKeepsWhatItRemembers() {
        VirtualTime clock = VirtualTime.selfAdvancing();
        IOException inside = new IOException("inside");
        Pipeline<String> inner = Pipeline.<String>named("inner")
                .time(clock)
                .timeout(Duration.ofSeconds(1))
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget())
                .build();
        Pipeline<String> outer = Pipeline.<String>named("outer")
                .time(clock)
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ZERO).withoutBudget())
                .build();
        AtomicInteger outerAttempts = new AtomicInteger();
        Throwable end = catchThrowable(() -> outer.call(() -> {
            if (outerAttempts.incrementAndGet() == 1) {
                throw new IOException("outside");
            }
            AtomicInteger attempts = new AtomicInteger();
            return inner.call(() -> {
                if (attempts.incrementAndGet() == 1) {
                    throw inside;
                }
                clock.sleep(Duration.ofSeconds(2).toNanos());
                return "late";
            });
        }));
        assertThat(end).isInstanceOf(TimedOutException.class);
        assertThat(((RejectedException) end).pipeline()).isEqualTo("inner");
        assertThat(((RejectedException) end).earlierFailures()).containsExactly(inside);
    }

    /** One object thrown for several attempts does not become its own predecessor. */
    @Test
    void rejectionThatIsThrownTwiceIsNotItsOwnEarlierFailure() {
        RejectedException shared = new LimitReachedException("elsewhere", "limit", -1, null);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .retry(r -> r.handle(LimitReachedException.class)
                        .constantDelay(Duration.ZERO)
                        .withoutBudget())
                .build();
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw shared;
                }))
                .isSameAs(shared);
        assertThat(shared.earlierFailures()).isEmpty();
    }

    @Test
    void nullInPlaceOfWorkIsRefusedAndNotCountedAsAFailureOfTheDependency() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .circuitBreaker(cb -> cb.failureRatio(1).minimumThroughput(10).samplingDuration(Duration.ofSeconds(10)))
                .build();
        dev.recloser.Call<String, RuntimeException> none = null;
        assertThatThrownBy(() -> pipeline.call(none)).isInstanceOf(NullPointerException.class);
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .calls())
                .isZero();
    }

    /** Row 27. */
    @Test
    void busyCommonPoolAndABlockingDependentDelayNoTimeout() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        List<CompletableFuture<Void>> busy = new ArrayList<>();
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism() + 2; i++) {
            busy.add(CompletableFuture.runAsync(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").timeout(Duration.ofMillis(100)).build();
        AtomicReference<Long> second = new AtomicReference<>();
        long start = System.nanoTime();
        CompletableFuture<Boolean> blocked = pipeline.callAsync(CompletableFuture::new)
                .handle((value, error) -> {
                    try {
                        return release.await(3, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        return false;
                    }
                });
        CompletableFuture<String> other = pipeline.callAsync(CompletableFuture::new);
        CompletableFuture<Void> told = other.handle((value, error) -> {
            second.set(System.nanoTime() - start);
            return null;
        });
        told.get(2, TimeUnit.SECONDS);
        release.countDown();
        assertThat(blocked.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(TimeUnit.NANOSECONDS.toMillis(second.get())).isLessThan(300);
        assertThat(busy).isNotEmpty();
    }

    /** Everything at the end of the clock. */
    @ParameterizedTest
    @MethodSource(MODES)
    void clockThatOverflowsChangesNothing(CallMode mode) {
        VirtualTime clock = VirtualTime.create().startingAt(Long.MAX_VALUE - 100_000_000);
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(clock)
                .timeout(t -> t.limit(Duration.ofSeconds(1)).detached())
                .retry(r -> r.constantDelay(Duration.ofMillis(200)).withoutBudget())
                .hedging(h -> h.delay(Duration.ofMillis(150)).withoutBudget())
                .rateLimiter(l -> l.slidingWindow(2, Duration.ofMillis(100)).maxWait(Duration.ofMillis(200)))
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        clock.advance(Duration.ofMillis(149));
        assertThat(call.attempts()).isEqualTo(1);
        clock.advance(Duration.ofMillis(1));
        call.awaitAttempts(2);
        clock.advance(Duration.ofMillis(849));
        assertThat(call.isEnded()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
    }
}
