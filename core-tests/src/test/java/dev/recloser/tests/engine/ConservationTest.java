package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.TimeSource;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * However a call is ended, and wherever it is at that moment, it gives back every permit, leaves no alarm behind, and holds no
 * probe's place: tried out for every order of three strategies.
 */
class ConservationTest {

    private static final Duration TOTAL = Duration.ofSeconds(10);
    private static final Duration LONG_AFTER = Duration.ofHours(1);

    /** What a pipeline can consist of. */
    private enum Kind {
        LIMITER,
        RATE,
        ADAPTIVE,
        BREAKER,
        RETRY,
        TIMEOUT,
        HEDGING,
        FALLBACK
    }

    /** Where the call is when it is ended, and what must be in the pipeline for it to get there. */
    private enum Step {
        QUEUED(Kind.LIMITER),
        WAITING_FOR_A_PERMIT(Kind.RATE),
        WAITING_TO_RETRY(Kind.RETRY),
        RUNNING(null),
        COMPLETING(null);

        final @Nullable Kind needs;

        Step(@Nullable Kind needs) {
            this.needs = needs;
        }
    }

    /** What ends it. For a blocking call, to be cancelled is to be interrupted. */
    private enum Cause {
        CANCEL,
        TIMEOUT
    }

    /** A pipeline in which the next call is the probe of a circuit whose break is over. */
    private static final class House {
        final VirtualTime time = VirtualTime.create();
        final ConcurrencyLimiter limiter =
                ConcurrencyLimiter.of("limiter", l -> l.maxConcurrent(1).queue(5));
        final RateLimiter rate = RateLimiter.of(
                "rate", r -> r.tokenBucket(1, Duration.ofSeconds(1)).maxWait(Duration.ofSeconds(5)), time);
        final AdaptiveLimiter adaptive = AdaptiveLimiter.of(
                "adaptive", a -> a.latencyGoal(Duration.ofSeconds(1)).initialLimit(5), time);
        final CircuitBreaker breaker = CircuitBreaker.of(
                "breaker",
                cb -> cb.openAfterConsecutive(1)
                        .breakDuration(Duration.ofSeconds(1))
                        // So long that a place that is not given back would be missed.
                        .probeLease(LONG_AFTER.multipliedBy(10)),
                time);
        final Pipeline<String> pipeline;

        /** Taken so that the call has to queue. */
        @Nullable
        Ticket permitOfOther;

        House(List<Kind> order) {
            PipelineBuilder<String> builder =
                    Pipeline.<String>named("p").time(time).timeout(TOTAL);
            order.forEach(kind -> add(kind, builder));
            pipeline = builder.build();
            ticket(breaker.acquire()).settle(OutcomeClass.FAILURE, null, new IOException());
            time.advance(Duration.ofSeconds(2));
        }

        private void add(Kind kind, PipelineBuilder<String> builder) {
            switch (kind) {
                case LIMITER -> builder.strategy(limiter);
                case RATE -> builder.strategy(rate);
                case ADAPTIVE -> builder.strategy(adaptive);
                case BREAKER -> builder.strategy(breaker);
                case RETRY -> builder.retry(r -> r.maxRetries(3).constantDelay(Duration.ofSeconds(2)));
                case TIMEOUT -> builder.timeout(Duration.ofSeconds(5));
                case HEDGING -> builder.hedging(h -> h.delay(Duration.ofSeconds(1)));
                case FALLBACK -> builder.fallback(f -> f.value("instead"));
            }
        }

        static Ticket ticket(Object answer) {
            return (Ticket) answer;
        }

        /** Brings a call to a step. */
        OngoingCall<String> at(Step step, CallMode mode) {
            CallContext context = CallContext.named("other");
            if (step == Step.QUEUED) {
                permitOfOther = ticket(limiter.acquire(context));
                OngoingCall<String> call = mode.start(pipeline);
                await(() -> "stand in the queue", () -> limiter.snapshot().queued() == 1);
                return call;
            }
            if (step == Step.WAITING_FOR_A_PERMIT) {
                ticket(rate.acquire(context));
                OngoingCall<String> call = mode.start(pipeline);
                await(() -> "wait", () -> mode == CallMode.STAGE || time.sleepers() == 1);
                return call;
            }
            OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
            if (step == Step.WAITING_TO_RETRY) {
                call.fail(1, new IOException());
                await(
                        () -> "wait",
                        () -> mode == CallMode.STAGE || time.sleepers() == 1 || call.isEnded() || call.attempts() > 1);
            }
            return call;
        }

        void end(OngoingCall<String> call, Step step, Cause cause) throws InterruptedException {
            if (step == Step.COMPLETING) {
                Thread completing = new Thread(() -> call.succeed(1, "just now"));
                completing.start();
                cut(call, cause);
                completing.join();
            } else {
                cut(call, cause);
            }
            call.awaitEnd();
        }

        private void cut(OngoingCall<String> call, Cause cause) {
            if (cause == Cause.CANCEL) {
                call.cancel();
            } else {
                time.advance(TOTAL);
            }
        }

        void requireEverythingBack() {
            int heldByOther = permitOfOther == null ? 0 : 1;
            await(
                    () -> "give everything back: " + this,
                    () -> pipeline.abandoned() == 0
                            && limiter.snapshot().inFlight() == heldByOther
                            && limiter.snapshot().queued() == 0
                            && adaptive.snapshot().inFlight() == 0
                            && rate.snapshot().waiting() == 0
                            && breaker.snapshot().runningProbes() == 0
                            && time.pendingAlarms() == 0
                            && time.sleepers() == 0);
        }

        /** A call that comes much later finds all as it should be, and closes the circuit. */
        void requireNextCallToPass(CallMode mode, List<Kind> order) {
            if (permitOfOther != null) {
                permitOfOther.unused();
            }
            assertThat(breaker.snapshot().lost()).isZero();
            time.advance(LONG_AFTER);
            OngoingCall<String> next = mode.start(pipeline).awaitAttempts(1).succeed(1, "after");
            assertThat(next.value()).isEqualTo("after");
            if (order.contains(Kind.BREAKER)) {
                assertThat(breaker.state()).isEqualTo(CircuitState.CLOSED);
            }
        }

        @Override
        public String toString() {
            return limiter.snapshot() + ", " + adaptive.snapshot() + ", " + pipeline.abandoned() + " abandoned, "
                    + time.pendingAlarms() + " alarms, " + time.sleepers() + " sleepers";
        }
    }

    static Stream<Arguments> ordersOfThree() {
        List<Arguments> orders = new ArrayList<>();
        for (CallMode mode : CallMode.available()) {
            for (Kind first : Kind.values()) {
                for (Kind second : EnumSet.complementOf(EnumSet.of(first))) {
                    for (Kind third : EnumSet.complementOf(EnumSet.of(first, second))) {
                        orders.add(Arguments.of(mode, List.of(first, second, third)));
                    }
                }
            }
        }
        return orders.stream();
    }

    @ParameterizedTest
    @MethodSource("ordersOfThree")
    void everyPermitIsGivenBack(CallMode mode, List<Kind> order) throws InterruptedException {
        for (Step step : Step.values()) {
            if (step.needs == null || order.contains(step.needs)) {
                for (Cause cause : Cause.values()) {
                    House house = new House(order);
                    OngoingCall<String> call = house.at(step, mode);
                    house.end(call, step, cause);
                    house.requireEverythingBack();
                    house.requireNextCallToPass(mode, order);
                }
            }
        }
    }

    private static void await(Supplier<String> what, BooleanSupplier reached) {
        long patience = TimeUnit.SECONDS.toNanos(10);
        long start = TimeSource.system().nanoTime();
        while (!reached.getAsBoolean()) {
            assertThat(TimeSource.system().nanoTime() - start)
                    .as(() -> "did not " + what.get())
                    .isLessThan(patience);
            Thread.onSpinWait();
        }
    }
}
