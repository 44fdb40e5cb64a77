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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pipeline for calls that have a limit of their own. */
@org.junit.jupiter.api.Timeout(60)
class WithinTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration LIMIT = Duration.ofMillis(300);

    private final VirtualTime clock = VirtualTime.create();
    private final Pipeline<String> pipeline = Pipeline.<String>named("p")
            .time(clock)
            .timeout(Duration.ofSeconds(5))
            .as("total")
            .retry(r -> r.maxRetries(1).constantDelay(Duration.ofMillis(400)))
            .circuitBreaker(cb -> cb.openAfterConsecutive(10))
            .timeout(Duration.ofSeconds(1))
            .as("attempt")
            .build();
    private final Pipeline<String> within = pipeline.within(Timeout.of("caller", t -> t.limit(LIMIT)));

    @ParameterizedTest
    @MethodSource(MODES)
    void isCutWhenItsOwnLimitIsOver(CallMode mode) {
        OngoingCall<String> call = mode.start(within);
        call.awaitAttempts(1);
        assertThat(call.context().remaining()).isEqualTo(Optional.of(LIMIT));
        clock.advance(LIMIT);
        assertThat(call.awaitEnd().error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        cut -> assertThat(cut.strategy()).isEqualTo("caller"));
        assertThat(clock.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void doesNotBeginADelayThatDoesNotFit(CallMode mode) {
        OngoingCall<String> call = mode.start(within);
        call.awaitAttempts(1);
        call.fail(new IOException("refused"));
        assertThat(call.awaitEnd().error()).hasMessage("refused");
        assertThat(pipeline.strategy(Retry.class).orElseThrow().snapshot().retried())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void sharesStateAndListenersWithItsPipeline(CallMode mode) {
        List<PipelineEvent.Kind> told = new ArrayList<>();
        pipeline.addListener(event -> told.add(event.kind()));
        OngoingCall<String> call = mode.start(within);
        call.awaitAttempts(1);
        call.fail(new IOException());
        assertThat(call.awaitEnd().error()).isInstanceOf(IOException.class);
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .failures())
                .isEqualTo(1);
        assertThat(told).containsExactly(PipelineEvent.Kind.RETRY_TOO_LATE);
        assertThat(pipeline.strategies()).hasSize(4);
        assertThat(within.strategies()).hasSize(5);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void aLongerLimitLeavesThoseFurtherInInForce(CallMode mode) {
        OngoingCall<String> call = mode.start(pipeline.within(Timeout.of("caller", t -> t.limit(Duration.ofHours(1))))
                .once());
        call.awaitAttempts(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(call.awaitEnd().error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        cut -> assertThat(cut.strategy()).isEqualTo("attempt"));
    }
}
