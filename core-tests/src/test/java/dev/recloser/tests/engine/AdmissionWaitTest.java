package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Place;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Substitute;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the drivers treat the admittances that are neither ticket nor rejection. */
class AdmissionWaitTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration WAIT = Duration.ofMillis(300);

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger givenBack = new AtomicInteger();

    /** Gives everybody the same answer. */
    private record Answering(Admittance answer) implements Admission {

        @Override
        public String name() {
            return "answering";
        }

        @Override
        public Admittance acquire(CallContext context) {
            return answer;
        }
    }

    private final class Later extends Reservation {

        private final boolean partOfCall;

        Later(boolean partOfCall) {
            this.partOfCall = partOfCall;
        }

        @Override
        public long waitNanos() {
            return WAIT.toNanos();
        }

        @Override
        public boolean isPartOfCall() {
            return partOfCall;
        }

        @Override
        public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
            ended.incrementAndGet();
        }

        @Override
        public void unused() {
            givenBack.incrementAndGet();
        }
    }

    private static final class Patient extends Place {

        private final RejectedException expiry = new LimitReachedException("p", "answering", -1, null);
        private int lefts;

        @Override
        public long maxWaitNanos() {
            return WAIT.toNanos();
        }

        @Override
        public RejectedException expired() {
            return expiry;
        }

        @Override
        protected void left() {
            lefts++;
        }
    }

    private Pipeline<String> pipeline(Admittance answer) {
        return listening(builder().strategy(new Answering(answer)));
    }

    private PipelineBuilder<String> builder() {
        return Pipeline.<String>named("p").time(time);
    }

    private Pipeline<String> listening(PipelineBuilder<String> builder) {
        Pipeline<String> pipeline = builder.build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void reservationIsWaitedForAndThenIsTheTicket(CallMode mode) {
        OngoingCall<String> call = mode.start(pipeline(new Later(false)));
        assertThat(call.attempts()).isZero();
        time.advance(WAIT);
        call.awaitAttempts(1).succeed(1, "good").awaitEnd();
        assertThat(ended).hasValue(1);
        assertThat(givenBack).hasValue(0);
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(Kind.DELAYED);
        assertThat(events).extracting(PipelineEvent::delay).containsExactly(WAIT);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void reservationOfACallerWhoCancelsIsGivenBackUnused(CallMode mode) {
        OngoingCall<String> call = mode.start(pipeline(new Later(false)));
        call.cancel();
        assertThat(call.attempts()).isZero();
        assertThat(ended).hasValue(0);
        assertThat(givenBack).hasValue(1);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void breakerAroundCountsAWaitThatIsPartOfTheCallAndNoOther(CallMode mode) {
        for (boolean partOfCall : new boolean[] {false, true}) {
            Pipeline<String> pipeline = builder()
                    .circuitBreaker(cb -> cb.openAfterConsecutive(5))
                    .timeout(WAIT.dividedBy(2))
                    .strategy(new Answering(new Later(partOfCall)))
                    .build();
            OngoingCall<String> call = mode.start(pipeline);
            time.advance(WAIT.dividedBy(2));
            assertThat(call.error()).isInstanceOf(TimedOutException.class);
            long failures = pipeline.strategy(CircuitBreaker.class)
                    .orElseThrow()
                    .snapshot()
                    .failures();
            assertThat(failures).isEqualTo(partOfCall ? 1 : 0);
        }
        assertThat(givenBack).hasValue(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void placeIsLeftWhenTheWaitIsAsLongAsItMayBe(CallMode mode) {
        Patient place = new Patient();
        OngoingCall<String> call = mode.start(pipeline(place));
        time.advance(WAIT.minusNanos(1));
        assertThat(call.isEnded()).isFalse();
        time.advance(Duration.ofNanos(1));
        assertThat(call.error()).isSameAs(place.expiry);
        assertThat(place.lefts).isEqualTo(1);
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(Kind.REJECTED);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void placeThatIsGrantedInTimeLeavesNoAlarmBehind(CallMode mode) {
        Patient place = new Patient();
        OngoingCall<String> call = mode.start(pipeline(place));
        assertThat(time.pendingAlarms()).isEqualTo(1);
        place.grant(new Later(false));
        call.awaitAttempts(1);
        assertThat(time.pendingAlarms()).isZero();
        call.succeed(1, "good").awaitEnd();
        assertThat(place.lefts).isZero();
        assertThat(ended).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void substituteTakesThePlaceOfTheCallAndIsJudgedLikeIt(CallMode mode) {
        IOException fault = new IOException("made up");
        Pipeline<String> pipeline = listening(builder()
                .circuitBreaker(cb -> cb.openAfterConsecutive(5))
                .strategy(new Answering(new Substitute(null, fault))));
        OngoingCall<String> call = mode.start(pipeline);
        assertThat(call.error()).isSameAs(fault);
        assertThat(call.attempts()).isZero();
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .failures())
                .isEqualTo(1);
        assertThat(mode.start(pipeline(new Substitute("made up", null))).value())
                .isEqualTo("made up");
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(Kind.SUBSTITUTED, Kind.SUBSTITUTED);
    }

    @Test
    void waiterOnASelfAdvancingClockGivesUpInItsOwnTime() {
        VirtualTime own = VirtualTime.selfAdvancing();
        Patient place = new Patient();
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(own)
                .strategy(new Answering(place))
                .build();
        OngoingCall<String> call = CallMode.PLATFORM_THREAD.start(pipeline);
        assertThat(call.error()).isSameAs(place.expiry);
        assertThat(own.elapsed()).isEqualTo(WAIT);
    }
}
