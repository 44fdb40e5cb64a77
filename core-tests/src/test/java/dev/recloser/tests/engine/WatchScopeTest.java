package dev.recloser.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallContext;
import dev.recloser.CallWatch;
import dev.recloser.Classifier;
import dev.recloser.OutcomeClass;
import dev.recloser.Pipeline;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Ticket;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that is done for a call that is watched is done between an entry and a leaving of its watch, on whatever thread. */
class WatchScopeTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";

    private final VirtualTime time = VirtualTime.create();
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
    private final AtomicInteger open = new AtomicInteger();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final CallWatch watch = new CallWatch() {
        @Override
        public Scope enter(int attempt, int hedge) {
            depth.set(depth.get() + 1);
            open.incrementAndGet();
            return () -> {
                depth.set(depth.get() - 1);
                open.decrementAndGet();
            };
        }
    };

    /** Notes whether the call that passes is on this thread. */
    private final class Sentry implements Admission, Ticket {

        @Override
        public String name() {
            return "sentry";
        }

        @Override
        public Admittance acquire(CallContext context) {
            note("acquired");
            return this;
        }

        @Override
        public void settle(OutcomeClass outcome, Object value, Throwable error) {
            note("settled");
        }

        @Override
        public void unused() {
            note("unused");
        }
    }

    private void note(String what) {
        seen.add(what + (depth.get() > 0 ? " within" : " outside"));
    }

    private Pipeline<String> watched(Pipeline<String> pipeline) {
        pipeline.addCallListener(name -> watch);
        return pipeline;
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void an_attempt_after_a_delay_is_admitted_within_the_scope(CallMode mode) {
        Pipeline<String> pipeline = watched(Pipeline.<String>named("p")
                .time(time)
                .strategy(new Repeat(1, Duration.ofSeconds(1)), Classifier.defaults())
                .strategy(new Sentry())
                .build());
        OngoingCall<String> call = mode.start(pipeline).fail(1, new IOException());
        call.awaitRest();
        time.advance(Duration.ofSeconds(1));
        call.awaitAttempts(2).succeed(2, "ok").awaitEnd();
        assertThat(seen).containsExactly("acquired within", "settled within", "acquired within", "settled within");
        assertThat(open).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void a_call_that_has_waited_in_a_queue_goes_on_within_the_scope(CallMode mode) {
        Pipeline<String> pipeline = watched(Pipeline.<String>named("p")
                .time(time)
                .concurrencyLimiter(limiter -> limiter.maxConcurrent(1).queue(1))
                .strategy(new Sentry())
                .build());
        OngoingCall<String> first = mode.start(pipeline);
        OngoingCall<String> second = mode.start(pipeline);
        first.succeed("ok").awaitEnd();
        second.awaitAttempts(1).succeed("ok").awaitEnd();
        assertThat(seen).hasSize(4).allMatch(note -> note.endsWith("within"));
        assertThat(open).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void a_call_that_is_cut_while_it_waits_ends_its_tickets_within_the_scope(CallMode mode) {
        Pipeline<String> pipeline = watched(Pipeline.<String>named("p")
                .time(time)
                .strategy(new Sentry())
                .strategy(new Repeat(1, Duration.ofSeconds(9)), Classifier.defaults())
                .build());
        OngoingCall<String> call = mode.start(pipeline).fail(1, new IOException());
        call.awaitRest().cancel().awaitEnd();
        assertThat(seen).containsExactly("acquired within", "settled within");
        assertThat(open).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void attempts_beside_each_other_are_admitted_and_settled_within_the_scope(CallMode mode) {
        Pipeline<String> pipeline = watched(Pipeline.<String>named("p")
                .time(time)
                .strategy(new Sentry())
                .hedging(hedging -> hedging.maxHedges(1).delay(Duration.ofSeconds(1)))
                .strategy(new Sentry())
                .build());
        OngoingCall<String> call = mode.start(pipeline);
        time.advance(Duration.ofSeconds(1));
        call.awaitAttempts(2).fail(1, new IOException()).succeed(2, "ok").awaitEnd();
        // The attempt that failed is on a thread of its own, for which the call need not wait.
        Await.until(() -> seen.size() == 6 && open.get() == 0);
        assertThat(seen).hasSize(6).allMatch(note -> note.endsWith("within"));
        assertThat(open).hasValue(0);
    }
}
