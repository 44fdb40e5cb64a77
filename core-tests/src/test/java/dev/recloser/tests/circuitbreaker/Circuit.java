package dev.recloser.tests.circuitbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitBreakerBuilder;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A breaker in a pipeline under virtual time, driven in one mode. */
final class Circuit {

    final VirtualTime time = VirtualTime.create();
    final CallMode mode;
    final Pipeline<String> pipeline;
    final CircuitBreaker breaker;
    final List<CircuitTransition> transitions = new CopyOnWriteArrayList<>();

    Circuit(
            CallMode mode,
            Consumer<CircuitBreakerBuilder<String>> settings,
            UnaryOperator<PipelineBuilder<String>> inside) {
        this.mode = mode;
        this.pipeline = inside.apply(Pipeline.<String>named("p").time(time).circuitBreaker(settings))
                .build();
        this.breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                transitions.add(transition);
            }
        });
    }

    /** As the cases write it: CB(ratio, minimum, sampling seconds, break seconds). */
    static Circuit of(CallMode mode, double ratio, int minimum, int samplingSeconds, int breakSeconds) {
        return new Circuit(mode, cb(ratio, minimum, samplingSeconds, breakSeconds), builder -> builder);
    }

    static Consumer<CircuitBreakerBuilder<String>> cb(
            double ratio, int minimum, int samplingSeconds, int breakSeconds) {
        return cb -> cb.failureRatio(ratio)
                .minimumThroughput(minimum)
                .samplingDuration(Duration.ofSeconds(samplingSeconds))
                .breakDuration(Duration.ofSeconds(breakSeconds));
    }

    /** Plays outcomes as the cases write them: F failure, S success, I ignored. */
    void play(String outcomes) {
        for (char outcome : outcomes.replace(" ", "").toCharArray()) {
            OngoingCall<String> call = start();
            switch (outcome) {
                case 'F' -> call.fail(new IOException("down"));
                case 'S' -> call.succeed("fine");
                case 'I' -> call.fail(new AssertionError("an Error says nothing about the dependency"));
                default -> throw new IllegalArgumentException(outcomes);
            }
            call.awaitEnd();
        }
    }

    OngoingCall<String> start() {
        return mode.start(pipeline);
    }

    /** Starts a call that must come through. */
    OngoingCall<String> startAdmitted() {
        OngoingCall<String> call = start();
        assertThat(call.isRunning()).as("admitted").isTrue();
        return call;
    }

    CircuitOpenException assertRejects() {
        OngoingCall<String> call = start();
        assertThat(call.attempts()).as("attempts of a rejected call").isZero();
        assertThat(call.error()).isInstanceOf(CircuitOpenException.class);
        CircuitOpenException rejection = (CircuitOpenException) call.error();
        assertThat(rejection.retryAfter())
                .hasValueSatisfying(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ZERO));
        return rejection;
    }

    void assertState(CircuitState expected) {
        assertThat(breaker.state()).isEqualTo(expected);
    }

    void advance(double seconds) {
        time.advance(Duration.ofNanos(Math.round(seconds * 1e9)));
    }

    /** Brings a circuit of CB(.5,4,10,5) to open. */
    Circuit opened() {
        play("FFFF");
        assertState(CircuitState.OPEN);
        return this;
    }
}
