package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallListener;
import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What those who watch every call are told. */
class CallListenerTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();
    private final Recorder told = new Recorder();

    /** Writes down what it is told, one line each, and which calls are on which thread. */
    private static final class Recorder implements CallListener {
        final List<String> lines = new CopyOnWriteArrayList<>();
        final ThreadLocal<@Nullable String> current = new ThreadLocal<>();
        final AtomicInteger open = new AtomicInteger();

        @Override
        public CallWatch begun(String pipeline) {
            lines.add("begun " + pipeline);
            return new CallWatch() {
                @Override
                public Scope enter(int attempt, int hedge) {
                    String before = current.get();
                    current.set(attempt + "/" + hedge);
                    open.incrementAndGet();
                    return () -> {
                        current.set(before);
                        open.decrementAndGet();
                    };
                }

                @Override
                public void happened(PipelineEvent event) {
                    lines.add(event.kind() + " in " + current.get());
                }

                @Override
                public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
                    lines.add("attempt " + attempt + "/" + hedge + " " + outcome + " " + millis(nanos));
                }

                @Override
                public void ended(CallOutcome outcome, long nanos) {
                    lines.add("ended " + outcome + " " + millis(nanos));
                }
            };
        }

        private static String millis(long nanos) {
            return Duration.ofNanos(nanos).toMillis() + " ms";
        }
    }

    private PipelineBuilder<String> builder() {
        return Pipeline.<String>named("p").time(time);
    }

    private Pipeline<String> watched(PipelineBuilder<String> builder) {
        Pipeline<String> pipeline = builder.build();
        pipeline.addCallListener(told);
        return pipeline;
    }

    private void pass(Duration span) {
        time.advance(span);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callAndItsAttemptAreTimed(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(builder().timeout(Duration.ofMinutes(1))));
        pass(SECOND);
        call.succeed("v").awaitEnd();
        assertThat(told.lines).containsExactly("begun p", "attempt 1/0 SUCCESS 1000 ms", "ended SUCCESS 1000 ms");
        assertThat(told.open).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThroughABreakerAloneIsWatchedToo(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(builder().circuitBreaker(cb -> cb.openAfterConsecutive(1))));
        pass(SECOND);
        call.fail(new IOException()).awaitEnd();
        mode.start(watchedAgain(call)).awaitEnd();
        assertThat(told.lines)
                .startsWith("begun p", "attempt 1/0 FAILURE 1000 ms", "ended FAILURE 1000 ms")
                .contains("ended REJECTED 0 ms", "REJECTED in 1/0");
    }

    /** A pipeline whose circuit is open. */
    private Pipeline<String> watchedAgain(OngoingCall<String> unused) {
        CircuitBreaker open = CircuitBreaker.of("open", cb -> cb.openAfterConsecutive(1), time);
        open.isolate();
        return watched(builder().circuitBreaker(open));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retriesAreAttemptsOfOneCallAndTheWaitIsPartOfIt(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(
                builder().retry(r -> r.maxRetries(1).constantDelay(SECOND).withoutJitter())));
        call.fail(new IOException());
        pass(SECOND);
        call.awaitAttempts(2);
        pass(SECOND);
        call.succeed("v").awaitEnd();
        assertThat(told.lines)
                .containsExactly(
                        "begun p",
                        "attempt 1/0 FAILURE 0 ms",
                        "RETRY in 1/0",
                        "attempt 2/0 SUCCESS 1000 ms",
                        "ended SUCCESS 2000 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waitThatTheCallerCutsIsPartOfTheCall(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(builder()
                .retry(r ->
                        r.maxRetries(1).constantDelay(SECOND.multipliedBy(10)).withoutJitter())));
        pass(Duration.ofMillis(1));
        call.fail(new IOException());
        pass(SECOND.multipliedBy(9));
        call.cancel().awaitEnd();
        assertThat(told.lines)
                .startsWith("begun p", "attempt 1/0 FAILURE 1 ms", "RETRY in 1/0")
                .endsWith("ended CANCELLED 9001 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptThatATimeoutCutsHasTimedOut(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(builder().timeout(SECOND)));
        pass(SECOND);
        call.awaitEnd();
        assertThat(told.lines)
                .containsExactly(
                        "begun p", "attempt 1/0 TIMED_OUT 1000 ms", "TIMED_OUT in 1/0", "ended TIMED_OUT 1000 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callThatItsCallerCancelsIsCancelled(CallMode mode) {
        mode.start(watched(builder().timeout(SECOND))).cancel().awaitEnd();
        assertThat(told.lines).containsExactly("begun p", "attempt 1/0 CANCELLED 0 ms", "ended CANCELLED 0 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptsBesideEachOtherAreToldApartAndTheLoserIsCancelled(CallMode mode) {
        OngoingCall<String> call =
                mode.start(watched(builder().hedging(h -> h.delay(SECOND).maxHedges(1))));
        call.awaitAttempts(1);
        pass(SECOND);
        call.awaitAttempts(2).succeed(2, "v").awaitEnd();
        Await.until(() -> told.lines.size() >= 5);
        assertThat(told.lines)
                .containsExactlyInAnyOrder(
                        "begun p",
                        "HEDGE in 1/0",
                        "attempt 1/1 SUCCESS 0 ms",
                        "ended SUCCESS 1000 ms",
                        "attempt 1/0 CANCELLED 1000 ms");
        Await.until(() -> told.open.get() == 0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attemptInsideADetachedTimeoutIsStillTheHedgeThatItIs(CallMode mode) {
        OngoingCall<String> call = mode.start(watched(builder()
                .hedging(h -> h.delay(SECOND).maxHedges(1))
                .timeout(t -> t.limit(Duration.ofMinutes(1)).detached())));
        call.awaitAttempts(1);
        pass(SECOND);
        call.awaitAttempts(2);
        assertThat(call.context(2).hedge()).isEqualTo(1);
        call.succeed(2, "v").awaitEnd();
        Await.until(() -> told.lines.contains("attempt 1/1 SUCCESS 0 ms"));
    }

    @Test
    void callThatAStrategyOfOnesOwnBreaksIsAFailure() {
        Pipeline<String> pipeline = watched(builder().strategy(new dev.recloser.spi.Deadline() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public long limitNanos(dev.recloser.CallContext context) {
                throw new IllegalStateException("broken");
            }
        }));
        assertThatThrownBy(() -> pipeline.call(() -> "v")).hasMessage("broken");
        assertThat(told.lines).containsExactly("begun p", "ended FAILURE 0 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void whatAStrategyCountsAsFailureIsOne(CallMode mode) {
        Pipeline<String> pipeline = watched(builder()
                .retry(r -> r.maxRetries(0).handleResult("bad"::equals))
                .circuitBreaker(cb -> cb.ignore(IllegalArgumentException.class)));
        mode.start(pipeline).succeed("bad").awaitEnd();
        mode.start(pipeline).succeed("good").awaitEnd();
        mode.start(pipeline).fail(new IOException()).awaitEnd();
        assertThat(told.lines)
                .filteredOn(line -> line.startsWith("ended"))
                .containsExactly("ended FAILURE 0 ms", "ended SUCCESS 0 ms", "ended FAILURE 0 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void exceptionThatSaysNothingAboutTheDependencyIsIgnored(CallMode mode) {
        Pipeline<String> pipeline = watched(builder().circuitBreaker(cb -> cb.ignore(IllegalArgumentException.class)));
        mode.start(pipeline).fail(new IllegalArgumentException()).awaitEnd();
        assertThat(told.lines).endsWith("attempt 1/0 IGNORED 0 ms", "ended IGNORED 0 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callWhoseClassifierThrowsIsAFailure(CallMode mode) {
        Pipeline<String> pipeline = watched(builder()
                .circuitBreaker(cb -> cb.handleResult(value -> {
                    throw new IllegalStateException("classifier");
                })));
        assertThat(mode.start(pipeline).succeed("v").error()).hasMessage("classifier");
        assertThat(told.lines).endsWith("attempt 1/0 FAILURE 0 ms", "ended FAILURE 0 ms");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fallbackIsASuccessAndItsTimeIsPartOfTheCall(CallMode mode) {
        Pipeline<String> pipeline = watched(builder()
                .fallback(f -> f.valueFrom((value, error) -> {
                    pass(SECOND);
                    return "instead";
                })));
        mode.start(pipeline).fail(new IOException()).awaitEnd();
        assertThat(told.lines)
                .containsExactly("begun p", "attempt 1/0 FAILURE 0 ms", "FALLBACK in 1/0", "ended SUCCESS 1000 ms");
    }

    @Test
    void workRunsInTheContextOfItsCallOnWhateverThread() throws Exception {
        Pipeline<@Nullable String> hedged = Pipeline.<@Nullable String>named("p")
                .hedging(h -> h.delay(Duration.ofHours(1)))
                .build();
        hedged.addCallListener(told);
        assertThat(hedged.<RuntimeException>call(told.current::get)).isEqualTo("1/0");
        assertThat(told.current.get()).isNull();
    }

    @Test
    void whatFollowsAStageRunsInTheContextOfItsCall() {
        Pipeline<String> pipeline = watched(builder().retry(r -> r.maxRetries(1).constantDelay(SECOND)));
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<@Nullable String> seen =
                pipeline.callAsync(() -> work).thenApply(value -> told.current.get());
        work.complete("v");
        assertThat(seen).isCompletedWithValue("1/0");
        assertThat(told.current.get()).isNull();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void severalWatchAndWhatOneThrowsChangesNothing(CallMode mode) {
        Pipeline<String> pipeline = builder().timeout(SECOND).build();
        pipeline.addCallListener(name -> {
            throw new IllegalStateException("begun");
        });
        pipeline.addCallListener(name -> null);
        pipeline.addCallListener(name -> new Throwing());
        Registration registration = pipeline.addCallListener(told);
        assertThat(mode.start(pipeline).succeed("v").value()).isEqualTo("v");
        assertThat(told.lines).containsExactly("begun p", "attempt 1/0 SUCCESS 0 ms", "ended SUCCESS 0 ms");
        assertThat(told.open).hasValue(0);
        registration.remove();
        registration.remove();
        told.lines.clear();
        assertThat(mode.start(pipeline).succeed("v").value()).isEqualTo("v");
        assertThat(told.lines).isEmpty();
    }

    private static final class Throwing implements CallWatch {
        @Override
        public Scope enter(int attempt, int hedge) {
            return () -> {
                throw new IllegalStateException("left");
            };
        }

        @Override
        public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
            throw new IllegalStateException("attempt");
        }

        @Override
        public void ended(CallOutcome outcome, long nanos) {
            throw new IllegalStateException("ended");
        }
    }

    @Test
    void oneWatchThatThrowsAloneChangesNothing() throws InterruptedException {
        Pipeline<String> pipeline = builder().timeout(SECOND).build();
        pipeline.addCallListener(name -> new Throwing());
        assertThat(pipeline.<RuntimeException>call(() -> "v")).isEqualTo("v");
        assertThatThrownBy(() -> pipeline.call(() -> {
                    throw new IOException("as it is");
                }))
                .hasMessage("as it is");
    }
}
