package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.Registration;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What listeners of a pipeline are told, and what a rejection remembers of the attempts before it. */
class PipelineEventTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration DELAY = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();

    private Pipeline<String> listening(PipelineBuilder<String> builder) {
        Pipeline<String> pipeline = builder.build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    private PipelineBuilder<String> builder() {
        return Pipeline.<String>named("p").time(time);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void lastFailureOfACallThatIsInterruptedWhileItWaitsIsTold(CallMode mode) {
        Pipeline<String> pipeline = listening(builder().strategy(new Repeat(3, DELAY), Classifier.defaults()));
        IOException failure = new IOException("told");
        OngoingCall<String> call = mode.start(pipeline).fail(failure);
        call.cancel();
        assertThat(events)
                .containsExactly(
                        new PipelineEvent("p", "repeat", Kind.RETRY, 1, 0, null, failure, DELAY),
                        new PipelineEvent("p", "repeat", Kind.RETRY_INTERRUPTED, 1, 0, null, failure, Duration.ZERO));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryThatDoesNotFitTheDeadlineIsTold(CallMode mode) {
        Pipeline<String> pipeline = listening(
                builder().timeout(Duration.ofMillis(500)).strategy(new Repeat(3, DELAY), Classifier.defaults()));
        mode.start(pipeline).fail(new IOException()).awaitEnd();
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(Kind.RETRY_TOO_LATE);
        assertThat(events).extracting(PipelineEvent::delay).containsExactly(DELAY);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void rejectionThatEndsARetriedCallKnowsWhatCameBefore(CallMode mode) {
        Pipeline<String> pipeline = listening(builder()
                .strategy(new Repeat(5, Duration.ZERO), Classifier.defaults())
                .circuitBreaker(cb -> cb.openAfterConsecutive(2)));
        IOException first = new IOException("first");
        IOException second = new IOException("second");
        OngoingCall<String> call =
                mode.start(pipeline).fail(1, first).awaitAttempts(2).fail(2, second);
        assertThat(call.error())
                .isInstanceOfSatisfying(
                        CircuitOpenException.class,
                        open -> assertThat(open.earlierFailures()).containsExactly(first, second));
        assertThat(first).hasNoSuppressedExceptions();
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(Kind.RETRY, Kind.RETRY, Kind.REJECTED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void timeoutOfARetriedCallKnowsWhatCameBefore(CallMode mode) {
        Pipeline<String> pipeline = listening(
                builder().timeout(DELAY).as("total").strategy(new Repeat(5, Duration.ZERO), Classifier.defaults()));
        IOException first = new IOException("first");
        OngoingCall<String> call = mode.start(pipeline).fail(1, first).awaitAttempts(2);
        time.advance(DELAY);
        assertThat(call.error()).isInstanceOfSatisfying(TimedOutException.class, cut -> {
            assertThat(cut.strategy()).isEqualTo("total");
            assertThat(cut.earlierFailures()).containsExactly(first);
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerLearnsWhichTimeoutFurtherOutCutItsCall(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .timeout(DELAY)
                .as("total")
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(DELAY);
        call.awaitEnd();
        RejectedException open = (RejectedException) mode.start(pipeline).error();
        assertThat(open.getCause()).hasMessage("p: total: cut by a timeout further out");
        assertThat(pipeline.strategy(CircuitBreaker.class).orElseThrow().state().toString())
                .isEqualTo("OPEN");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void listenerThatThrowsChangesNothingAndOneThatIsRemovedIsToldNothing(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .strategy(new Repeat(1, Duration.ZERO), Classifier.defaults())
                .build();
        Registration throwing = pipeline.addListener(event -> {
            throw new IllegalStateException("a bug of the listener's");
        });
        Registration registration = pipeline.addListener(events::add);
        mode.start(pipeline).fail(1, new IOException()).awaitAttempts(2).succeed(2, "good");
        assertThat(events).hasSize(1);
        registration.remove();
        registration.remove();
        throwing.remove();
        OngoingCall<String> call =
                mode.start(pipeline).fail(1, new IOException()).awaitAttempts(2).succeed(2, "good");
        assertThat(call.value()).isEqualTo("good");
        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void pipelineCalledOnceRepeatsNothingAndSharesItsState(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .strategy(new Repeat(5, Duration.ZERO), Classifier.defaults())
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        IOException failure = new IOException();
        OngoingCall<String> call = mode.start(pipeline.once());
        assertThat(call.fail(failure).error()).isSameAs(failure);
        assertThat(call.attempts()).isEqualTo(1);
        assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitOpenException.class);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void onlyTheLatestFailuresAreRemembered(CallMode mode) {
        Pipeline<String> pipeline = builder()
                .strategy(new Repeat(100, Duration.ZERO), Classifier.defaults())
                .circuitBreaker(cb -> cb.openAfterConsecutive(25))
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        for (int i = 1; i <= 25; i++) {
            call.awaitAttempts(i).fail(i, new IOException("attempt " + i));
        }
        RejectedException open = (RejectedException) call.error();
        assertThat(open).isNotNull();
        assertThat(open.earlierFailures())
                .hasSize(10)
                .last()
                .extracting(Throwable::getMessage)
                .isEqualTo("attempt 25");
        assertThat(TimeUnit.NANOSECONDS.toSeconds(time.nanoTime())).isZero();
    }
}
