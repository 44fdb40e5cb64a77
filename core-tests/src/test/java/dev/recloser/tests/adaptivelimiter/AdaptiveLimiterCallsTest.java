package dev.recloser.tests.adaptivelimiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole calls through a limiter that starts with a limit of two, and judges windows of one call. */
class AdaptiveLimiterCallsTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration GOAL = Duration.ofMillis(50);
    private static final Duration WINDOW = Duration.ofMillis(100);

    private final VirtualTime time = VirtualTime.create();
    private final AdaptiveLimiter limiter = AdaptiveLimiter.of(
            "limiter",
            settings ->
                    settings.latencyGoal(GOAL).window(WINDOW).initialLimit(2).minimumSamples(1),
            time);
    private final CircuitBreaker breaker = CircuitBreaker.of("breaker", cb -> {}, time);
    private final Pipeline<String> pipeline = Pipeline.<String>named("orders")
            .time(time)
            .strategy(limiter, limiter.classifier())
            .circuitBreaker(breaker)
            .timeout(Duration.ofSeconds(1))
            .build();

    /** The window closes, its calls have their time, and the call that then comes sees the new limit. */
    private void judge(CallMode mode) {
        time.advance(WINDOW);
        mode.start(pipeline).succeed("fast").awaitEnd();
        time.advance(GOAL.plusNanos(1));
        mode.start(pipeline).succeed("fast").awaitEnd();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callBeyondTheLimitIsRejectedUntilAnotherHasEnded(CallMode mode) {
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        OngoingCall<String> third = mode.start(pipeline);
        assertThat(third.error()).isInstanceOf(LimitReachedException.class);
        assertThat(third.attempts()).isZero();
        first.fail(new IOException("down")).awaitEnd();
        assertThat(mode.start(pipeline).succeed("fourth").value()).isEqualTo("fourth");
        second.cancel().awaitEnd();
        assertThat(limiter.snapshot().inFlight()).isZero();
        assertThat(limiter.snapshot().rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void fastCallsRaiseTheLimit(CallMode mode) {
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        first.succeed("first").awaitEnd();
        second.succeed("second").awaitEnd();
        judge(mode);
        assertThat(limiter.snapshot().limit()).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callsThatTimeOutGiveTheirPermitsBackAndLowerTheLimit(CallMode mode) {
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        assertThat(first.error()).isInstanceOf(TimedOutException.class);
        assertThat(second.error()).isInstanceOf(TimedOutException.class);
        assertThat(limiter.snapshot().inFlight()).isZero();
        judge(mode);
        assertThat(limiter.snapshot().limit()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void callsThatABreakerInsideRejectsAreNoSamples(CallMode mode) {
        breaker.isolate();
        for (int i = 0; i < 5; i++) {
            assertThat(mode.start(pipeline).error()).isInstanceOf(CircuitIsolatedException.class);
            time.advance(WINDOW);
        }
        assertThat(limiter.snapshot().inFlight()).isZero();
        assertThat(limiter.snapshot().lastSamples()).isZero();
        assertThat(limiter.snapshot().limit()).isEqualTo(2);
    }
}
