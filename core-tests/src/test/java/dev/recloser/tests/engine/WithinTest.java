package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.retry.Retry;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import dev.recloser.timeout.Timeout;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pipeline with a limit for single calls. */
class WithinTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final Pipeline<String> pipeline = Pipeline.<String>named("p")
            .time(time)
            .timeout(Duration.ofMinutes(1))
            .retry(retry -> retry.constantDelay(Duration.ofSeconds(2)))
            .circuitBreaker(cb -> {})
            .timeout(Duration.ofSeconds(10))
            .as("attempt")
            .build();

    private Pipeline<String> within(Duration limit) {
        return pipeline.within(Timeout.of("own", t -> t.limit(limit)));
    }

    @Test
    void whatIsDerivedKnowsThePipelineThatItWasMadeFrom() {
        assertThat(pipeline.origin()).isSameAs(pipeline);
        assertThat(within(Duration.ofSeconds(3)).origin()).isSameAs(pipeline);
        assertThat(within(Duration.ofSeconds(3)).once().origin()).isSameAs(pipeline);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void limitCutsTheCall(CallMode mode) {
        OngoingCall<String> call = mode.start(within(Duration.ofSeconds(3)));
        time.advance(Duration.ofSeconds(3));
        assertThat(call.error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        timedOut -> assertThat(timedOut).hasMessage("p: own: no outcome within 3 s"));
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void limitsFurtherInHoldAsBefore(CallMode mode) {
        OngoingCall<String> call = mode.start(within(Duration.ofSeconds(11)).once());
        time.advance(Duration.ofSeconds(10));
        assertThat(call.error()).hasMessage("p: attempt: no outcome within 10 s");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void retryThatDoesNotFitIsNotBegun(CallMode mode) {
        OngoingCall<String> call = mode.start(within(Duration.ofSeconds(2)));
        IOException failure = new IOException();
        assertThat(call.fail(failure).error()).isSameAs(failure);
        assertThat(pipeline.strategy(Retry.class).orElseThrow().snapshot().tooLate())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void stateAndListenersAreShared(CallMode mode) {
        List<PipelineEvent.Kind> events = new CopyOnWriteArrayList<>();
        pipeline.addListener(event -> events.add(event.kind()));
        mode.start(within(Duration.ofSeconds(2))).fail(new IOException()).error();
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        assertThat(breaker.snapshot().failures()).isEqualTo(1);
        assertThat(within(Duration.ofSeconds(2)).strategy(CircuitBreaker.class)).contains(breaker);
        assertThat(events).containsExactly(PipelineEvent.Kind.RETRY_TOO_LATE);
    }
}
