package dev.recloser.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Classifier;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.chaos.Chaos;
import dev.recloser.chaos.ChaosBuilder;
import dev.recloser.chaos.ChaosSnapshot;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole calls through a pipeline with chaos that is switched on. */
class ChaosCallsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.create();

    private static Chaos chaos(Consumer<ChaosBuilder<Object>> settings) {
        Chaos chaos = Chaos.of("chaos", settings);
        chaos.enable();
        return chaos;
    }

    private Pipeline<String> inside(Chaos chaos) {
        return Pipeline.<String>named("p")
                .time(time)
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .timeout(SECOND)
                .strategy(chaos, Classifier.<String>defaults())
                .build();
    }

    private static CircuitState stateOf(Pipeline<String> pipeline) {
        return pipeline.strategy(CircuitBreaker.class).orElseThrow().state();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void faultTakesThePlaceOfTheCallAndCountsAgainstTheCircuit(CallMode mode) {
        IOException fault = new IOException();
        Pipeline<String> pipeline = inside(chaos(c -> c.fault(1, () -> fault)));
        OngoingCall<String> call = mode.start(pipeline);
        assertThat(call.error()).isSameAs(fault);
        assertThat(call.attempts()).isZero();
        assertThat(stateOf(pipeline)).isEqualTo(CircuitState.OPEN);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void outcomeTakesThePlaceOfTheCall(CallMode mode) {
        Pipeline<String> pipeline = inside(chaos(c -> c.outcome(1, () -> "odd")));
        OngoingCall<String> call = mode.start(pipeline);
        assertThat(call.value()).isEqualTo("odd");
        assertThat(call.attempts()).isZero();
        assertThat(stateOf(pipeline)).isEqualTo(CircuitState.CLOSED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callIsMadeAfterItsDelay(CallMode mode) {
        Chaos chaos = chaos(c -> c.latency(1, Duration.ofMillis(400)));
        OngoingCall<String> call = mode.start(inside(chaos));
        time.advance(Duration.ofMillis(399));
        assertThat(call.attempts()).isZero();
        time.advance(Duration.ofMillis(1));
        assertThat(call.awaitAttempts(1).succeed("fine").value()).isEqualTo("fine");
        assertThat(chaos.snapshot()).isEqualTo(new ChaosSnapshot("chaos", 1, 0, 0));
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void delayIsPartOfTheCallForTimeoutAndCircuit(CallMode mode) {
        Pipeline<String> pipeline = inside(chaos(c -> c.latency(1, SECOND.multipliedBy(2))));
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(SECOND);
        assertThat(call.error()).isInstanceOf(TimedOutException.class);
        assertThat(call.attempts()).isZero();
        assertThat(stateOf(pipeline)).isEqualTo(CircuitState.OPEN);
        assertThat(time.pendingAlarms()).isZero();
    }
}
