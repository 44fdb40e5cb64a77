package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RateExceededException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.hedging.Hedging;
import dev.recloser.spi.Race;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that the engine had once where attempts run beside each other, late, or on other threads. */
class RaceFaultsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final VirtualTime time = VirtualTime.create();

    // ---- a limit begins when it is entered, not when the one before it was

    @ParameterizedTest
    @MethodSource(MODES)
    void eachAttemptUnderADetachedTimeoutHasItsWholeLimit(CallMode mode) {
        requireWholeLimitOfSecondAttempt(
                mode,
                Pipeline.<String>named("p")
                        .time(time)
                        .retry(r -> r.constantDelay(PAUSE))
                        .timeout(t -> t.limit(LIMIT).detached())
                        .build());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void eachHedgedAttemptHasItsWholeLimit(CallMode mode) {
        requireWholeLimitOfSecondAttempt(
                mode,
                Pipeline.<String>named("p")
                        .time(time)
                        .retry(r -> r.constantDelay(PAUSE))
                        .timeout(LIMIT)
                        .hedging(h -> h.delay(PAUSE))
                        .build());
    }

    private void requireWholeLimitOfSecondAttempt(CallMode mode, Pipeline<String> pipeline) {
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        time.advance(LIMIT);
        awaitDelay(mode);
        time.advance(PAUSE);
        call.awaitAttempts(2);
        assertThat(call.context(2).remaining()).contains(LIMIT);
        assertThat(call.succeed(2, "good").value()).isEqualTo("good");
    }

    private void awaitDelay(CallMode mode) {
        while (mode != CallMode.STAGE && time.sleepers() == 0) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void limitInsideARejectionThatIsRetriedBeginsAfterTheWait(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(30))
                .retry(r -> r.handle(RateExceededException.class).constantDelay(PAUSE))
                .rateLimiter(r -> r.tokenBucket(1, Duration.ofSeconds(1)))
                .timeout(LIMIT)
                .build();
        mode.start(pipeline).succeed("took the permit").awaitEnd();
        OngoingCall<String> call = mode.start(pipeline);
        awaitDelay(mode);
        time.advance(PAUSE);
        call.awaitAttempts(1);
        assertThat(call.context().remaining()).contains(LIMIT);
        assertThat(call.succeed("good").value()).isEqualTo("good");
    }

    // ---- the deadline of the call and that of its attempts are the same

    @Test
    void deadlineThatReachesTheAttemptFirstIsATimeoutAllTheSame() throws Exception {
        for (boolean isHedged : new boolean[] {false, true}) {
            OddTime odd = new OddTime();
            Pipeline<String> pipeline = isHedged
                    ? Pipeline.<String>named("p")
                            .time(odd)
                            .timeout(LIMIT)
                            .hedging(h -> h.delay(PAUSE))
                            .build()
                    : Pipeline.<String>named("p")
                            .time(odd)
                            .timeout(t -> t.limit(LIMIT).detached())
                            .build();
            CountDownLatch running = new CountDownLatch(1);
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    pipeline.call(() -> {
                        running.countDown();
                        new CountDownLatch(1).await();
                        return "never";
                    });
                } catch (Throwable error) {
                    outcome.complete(error);
                }
            });
            caller.start();
            running.await();
            odd.advance(LIMIT.toNanos());
            assertThat(outcome.get()).isInstanceOf(TimedOutException.class);
            caller.join();
            CompletableFuture<String> stage = pipeline.callAsync(() -> new CompletableFuture<>());
            odd.advance(LIMIT.toNanos());
            assertThat(stage)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(TimedOutException.class);
        }
    }

    // ---- work that never began

    @Test
    void callWhoseTimeIsOverBeforeItsWorkBeginsIsUnusedToTheBreaker() {
        OddTime odd = new OddTime();
        ConcurrencyLimiter limiter =
                ConcurrencyLimiter.of("limiter", l -> l.maxConcurrent(1).queue(1));
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(odd)
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .timeout(LIMIT)
                .strategy(limiter)
                .build();
        List<Kind> events = new ArrayList<>();
        pipeline.addListener(event -> events.add(event.kind()));
        Ticket permit = (Ticket) limiter.acquire(CallContext.named("other"));
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<String> call = pipeline.callAsync(() -> {
            begun.incrementAndGet();
            return new CompletableFuture<>();
        });
        odd.holdTasks();
        permit.unused();
        odd.advance(LIMIT.toNanos());
        odd.runHeldTasks();
        assertThat(call).isCompletedExceptionally();
        assertThat(begun).hasValue(0);
        assertThat(events).containsExactly(Kind.TIMED_OUT);
        assertThat(pipeline.abandoned()).isZero();
        assertThat(limiter.snapshot().inFlight()).isZero();
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .calls())
                .isZero();
    }

    // ---- as many attempts as are allowed

    @Test
    void failureAndSlownessAtOnceBeginNoMoreAttemptsThanAreAllowed() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .hedging(h -> h.delay(PAUSE))
                .build();
        pipeline.addListener(event -> {
            if (event.kind() == Kind.HEDGE_FAILED) {
                time.advance(PAUSE);
            }
        });
        List<CompletableFuture<String>> attempts = new ArrayList<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> {
            CompletableFuture<String> attempt = new CompletableFuture<>();
            attempts.add(attempt);
            return attempt;
        });
        attempts.get(0).completeExceptionally(new IOException());
        assertThat(attempts).hasSize(2);
        attempts.get(1).complete("good");
        assertThat(call).isCompletedWithValue("good");
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void callersWhoLeaveTellNothingOfTheLatency() {
        Hedging hedging = Hedging.of("h", h -> h.delay(Duration.ofSeconds(1)).percentile(0.9), time);
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).strategy(hedging).build();
        for (int i = 0; i < 300; i++) {
            CompletableFuture<String> call = pipeline.callAsync(() -> new CompletableFuture<>());
            time.advance(Duration.ofMillis(1));
            call.cancel(true);
        }
        assertThat(hedging.snapshot().delay()).isEqualTo(Duration.ofSeconds(1));
    }

    // ---- code of others that throws

    /** A race that throws at one of its methods. */
    private record Throwing(String method) implements Race {

        private void at(String here) {
            if (here.equals(method)) {
                throw new IllegalStateException("thrown by " + here);
            }
        }

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public void entered() {
            at("entered");
        }

        @Override
        public Contest begin(CallContext context) {
            at("begin");
            return new Contest() {
                @Override
                public long patienceNanos(int begun) {
                    at("patienceNanos");
                    return FOR_EVER;
                }

                @Override
                public Permission next(int begun) {
                    at("next");
                    return Permission.NO_MORE;
                }

                @Override
                public void took(int number, long nanos) {
                    at("took");
                }
            };
        }
    }

    static List<Arguments> modesAndMethods() {
        return CallMode.available().stream()
                .flatMap(mode -> Arrays.stream(new String[] {"entered", "begin", "patienceNanos", "next"})
                        .map(method -> Arguments.of(mode, method)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("modesAndMethods")
    void raceThatThrowsIsSeenByTheCaller(CallMode mode, String method) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(Duration.ofSeconds(1))
                .strategy(new Throwing(method))
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        if (method.equals("next")) {
            call.awaitAttempts(1).fail(1, new IOException());
        }
        assertThat(call.error()).hasMessage("thrown by " + method);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void raceThatThrowsWhenItIsOnlyToldSomethingChangesNothing(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .strategy(new Throwing("took"))
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        assertThat(call.succeed(1, "good").value()).isEqualTo("good");
    }

    // ---- an executor without a thread

    @Test
    void executorThatRefusesOnceOnlyDelaysWhatIsDue() {
        OddTime odd = new OddTime();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(odd)
                .timeout(Duration.ofSeconds(10))
                .retry(r -> r.maxRetries(1).constantDelay(PAUSE))
                .build();
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<String> call = pipeline.callAsync(() -> attempts.incrementAndGet() == 1
                ? CompletableFuture.failedFuture(new IOException())
                : new CompletableFuture<>());
        odd.refuseTasks(1);
        odd.advance(PAUSE.toNanos());
        assertThat(attempts).hasValue(1);
        odd.advance(PAUSE.toNanos());
        assertThat(attempts).hasValue(2);
        odd.refuseTasks(1);
        odd.advance(Duration.ofSeconds(10).toNanos());
        assertThat(call).isNotDone();
        odd.advance(PAUSE.toNanos());
        assertThat(call).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(TimedOutException.class);
        assertThat(odd.pendingAlarms()).isZero();
    }
}
