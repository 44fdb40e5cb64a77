package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.retry.Retry;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.retry.RetrySnapshot;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A call whose first two attempts time out and whose third succeeds, with the retry around the breaker and the other way round: what
 * reaches the transport, what is left of the time, and what retry and breaker count. See docs/pipelines.md, "Order".
 */
class ThirdAttemptSucceedsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration TOTAL = Duration.ofSeconds(4);
    private static final Duration ATTEMPT = Duration.ofSeconds(1);
    private static final Duration FIRST_DELAY = Duration.ofMillis(500);
    private static final Duration SECOND_DELAY = Duration.ofSeconds(1);
    private static final Duration BEFORE_THIRD = Duration.ofMillis(3500);
    private static final Duration LEFT_FOR_THIRD = Duration.ofMillis(500);
    private static final Duration THIRD_TAKES = Duration.ofMillis(250);

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();

    private PipelineBuilder<String> within(Duration total) {
        return Pipeline.<String>named("p").time(time).timeout(total).as("total");
    }

    private static void twiceAgain(RetryBuilder<String> retry) {
        retry.maxRetries(2).exponentialBackoff(FIRST_DELAY);
    }

    private static void opensAfterTwo(CircuitBreakerBuilder<String> breaker) {
        breaker.openAfterConsecutive(2);
    }

    private Pipeline<String> retryThenBreaker(PipelineBuilder<String> builder) {
        return attemptTimeout(
                builder.retry(ThirdAttemptSucceedsTest::twiceAgain).circuitBreaker(cb -> {}));
    }

    private Pipeline<String> breakerThenRetry(PipelineBuilder<String> builder) {
        return attemptTimeout(builder.circuitBreaker(cb -> {}).retry(ThirdAttemptSucceedsTest::twiceAgain));
    }

    private Pipeline<String> attemptTimeout(PipelineBuilder<String> builder) {
        Pipeline<String> pipeline = builder.timeout(ATTEMPT).as("attempt").build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    /** Two attempts that hang until they are cut, with the delay after the first. */
    private OngoingCall<String> afterTwoTimeouts(CallMode mode, Pipeline<String> pipeline) {
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        timeOut(call);
        time.advance(FIRST_DELAY);
        timeOut(call.awaitAttempts(2));
        return call;
    }

    /** The attempt is cut and the retry has decided what follows: an event of each. */
    private void timeOut(OngoingCall<String> call) {
        int before = events.size();
        time.advance(ATTEMPT);
        Await.until(() -> events.size() == before + 2);
        call.awaitRest();
    }

    private void assertThirdSucceeds(OngoingCall<String> call) {
        time.advance(SECOND_DELAY);
        call.awaitAttempts(3);
        assertThat(time.elapsed()).isEqualTo(BEFORE_THIRD);
        assertThat(call.context(3).remaining())
                .as("less than an attempt may take: what is left of the total")
                .contains(LEFT_FOR_THIRD);
        time.advance(THIRD_TAKES);
        assertThat(call.succeed(3, "third").value()).isEqualTo("third");
        assertThat(call.attempts()).as("calls of the transport").isEqualTo(3);
        assertThat(time.elapsed()).isEqualTo(BEFORE_THIRD.plus(THIRD_TAKES));
        assertThat(time.pendingAlarms()).isZero();
    }

    private void assertTwoRetries(Pipeline<String> pipeline) {
        assertThat(events)
                .extracting(PipelineEvent::kind, PipelineEvent::strategy, PipelineEvent::attempt)
                .containsExactly(
                        tuple(Kind.TIMED_OUT, "attempt", 1),
                        tuple(Kind.RETRY, "retry", 1),
                        tuple(Kind.TIMED_OUT, "attempt", 2),
                        tuple(Kind.RETRY, "retry", 2));
        assertThat(pipeline.strategy(Retry.class).orElseThrow().snapshot())
                .isEqualTo(new RetrySnapshot("retry", 2, 0, 0, 0));
    }

    private static CircuitSnapshot circuit(Pipeline<String> pipeline) {
        return pipeline.strategy(CircuitBreaker.class).orElseThrow().snapshot();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideTheRetryCountsThreeCallsAndTwoFailures(CallMode mode) {
        Pipeline<String> pipeline = retryThenBreaker(within(TOTAL));
        assertThirdSucceeds(afterTwoTimeouts(mode, pipeline));
        assertTwoRetries(pipeline);
        assertThat(circuit(pipeline).calls()).isEqualTo(3);
        assertThat(circuit(pipeline).failures()).isEqualTo(2);
        assertThat(circuit(pipeline).rejected()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheRetryCountsOneCallAndNoFailure(CallMode mode) {
        Pipeline<String> pipeline = breakerThenRetry(within(TOTAL));
        assertThirdSucceeds(afterTwoTimeouts(mode, pipeline));
        assertTwoRetries(pipeline);
        assertThat(circuit(pipeline).calls()).isEqualTo(1);
        assertThat(circuit(pipeline).failures()).isZero();
        assertThat(circuit(pipeline).rejected()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerInsideTheRetryOpensBetweenTheAttemptsAndTheThirdIsRejected(CallMode mode) {
        Pipeline<String> pipeline = attemptTimeout(within(TOTAL)
                .retry(ThirdAttemptSucceedsTest::twiceAgain)
                .circuitBreaker(ThirdAttemptSucceedsTest::opensAfterTwo));
        OngoingCall<String> call = afterTwoTimeouts(mode, pipeline);
        assertThat(circuit(pipeline).state()).isEqualTo(CircuitState.OPEN);
        time.advance(SECOND_DELAY);
        assertThat(call.error()).isInstanceOf(CircuitOpenException.class);
        assertThat(((RejectedException) call.error()).earlierFailures())
                .hasSize(2)
                .hasOnlyElementsOfType(TimedOutException.class);
        assertThat(call.attempts()).as("calls of the transport").isEqualTo(2);
        assertThat(time.elapsed()).isEqualTo(BEFORE_THIRD);
        assertThat(circuit(pipeline).rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundTheRetryStaysClosedAndTheThirdSucceeds(CallMode mode) {
        Pipeline<String> pipeline = attemptTimeout(within(TOTAL)
                .circuitBreaker(ThirdAttemptSucceedsTest::opensAfterTwo)
                .retry(ThirdAttemptSucceedsTest::twiceAgain));
        assertThirdSucceeds(afterTwoTimeouts(mode, pipeline));
        assertTwoRetries(pipeline);
        assertThat(circuit(pipeline).state()).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void delayThatDoesNotFitTheTotalIsNotBegunInEitherOrder(CallMode mode) {
        for (Pipeline<String> pipeline :
                List.of(retryThenBreaker(within(BEFORE_THIRD)), breakerThenRetry(within(BEFORE_THIRD)))) {
            Duration start = time.elapsed();
            OngoingCall<String> call = afterTwoTimeouts(mode, pipeline);
            assertThat(call.error())
                    .isInstanceOfSatisfying(
                            TimedOutException.class,
                            error -> assertThat(error.strategy()).isEqualTo("attempt"));
            assertThat(call.attempts()).as("calls of the transport").isEqualTo(2);
            assertThat(time.elapsed().minus(start)).isEqualTo(BEFORE_THIRD.minus(SECOND_DELAY));
            assertThat(pipeline.strategy(Retry.class).orElseThrow().snapshot())
                    .isEqualTo(new RetrySnapshot("retry", 1, 0, 0, 1));
        }
    }
}
