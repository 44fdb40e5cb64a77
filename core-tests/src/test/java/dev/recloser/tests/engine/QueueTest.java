package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Classifier;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.TimedOutException;
import dev.recloser.spi.Place;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the drivers wait for a place in the queue of an admission. */
class QueueTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final Turnstile turnstile = new Turnstile();
    private final Pipeline<String> pipeline = Pipeline.<String>named("p")
            .time(time)
            .timeout(Duration.ofSeconds(1))
            .strategy(turnstile, Classifier.defaults())
            .build();

    @ParameterizedTest
    @MethodSource(MODES)
    void waiterRunsWhenItsTurnComes(CallMode mode) {
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        assertThat(second.isRunning()).isFalse();
        first.succeed("first");
        while (second.attempts() == 0) {
            second.awaitRest();
        }
        assertThat(second.succeed("second").value()).isEqualTo("second");
        assertThat(turnstile.isFree()).isTrue();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waiterWhoseTimeIsOverLeavesWithoutAPermit(CallMode mode) {
        OngoingCall<String> holder = mode.start(Pipeline.<String>named("holder")
                .time(time)
                .strategy(turnstile, Classifier.defaults())
                .build());
        OngoingCall<String> waiter = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        assertThat(waiter.error()).isInstanceOf(TimedOutException.class);
        assertThat(waiter.attempts()).isZero();
        holder.succeed("done").awaitEnd();
        assertThat(turnstile.isFree()).isTrue();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void waiterWhoIsCancelledLeavesWithoutAPermit(CallMode mode) {
        OngoingCall<String> holder = mode.start(pipeline);
        OngoingCall<String> waiter = mode.start(pipeline);
        waiter.cancel();
        assertThat(waiter.attempts()).isZero();
        holder.succeed("done").awaitEnd();
        assertThat(turnstile.isFree()).isTrue();
    }

    @Test
    void placeIsDecidedOnce() {
        Place left = new Place();
        assertThat(left.leave()).isTrue();
        assertThat(left.grant(turnstile)).isFalse();
        assertThat(left.answer()).isNull();
        assertThat(left.isLeft()).isTrue();

        Place granted = new Place();
        assertThat(granted.grant(turnstile)).isTrue();
        assertThat(granted.leave()).isFalse();
        assertThat(granted.reject(new LimitReachedException("p", "turnstile", -1, null)))
                .isFalse();
        assertThat(granted.answer()).isSameAs(turnstile);
    }
}
