package dev.recloser.tests.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.PipelineEvent.Kind;
import dev.recloser.SettingsException;
import dev.recloser.TimedOutException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.testing.CallMode;
import dev.recloser.testing.OngoingCall;
import dev.recloser.tests.Await;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Row 25 of the known faults: work that does not react to its timeout; and limits that differ from call to call. */
class DetachedTimeoutTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Duration LIMIT = Duration.ofMillis(100);

    private final VirtualTime time = VirtualTime.create();
    private final List<PipelineEvent> events = new CopyOnWriteArrayList<>();

    private Pipeline<String> detached() {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(t -> t.limit(LIMIT).detached())
                .build();
        pipeline.addListener(events::add);
        return pipeline;
    }

    @Test
    void blockingCallerIsFreeThoughTheWorkIgnoresItsInterrupt() throws Exception {
        Pipeline<String> pipeline = detached();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch stubborn = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        CompletableFuture<Throwable> caller = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                pipeline.call(() -> {
                    worker.set(Thread.currentThread());
                    running.countDown();
                    awaitStubbornly(stubborn);
                    return "too late";
                });
            } catch (Throwable outcome) {
                caller.complete(outcome);
            }
        });
        thread.start();
        running.await();
        assertThat(worker.get()).isNotSameAs(thread);
        time.advance(LIMIT);
        assertThat(caller.get()).isInstanceOf(TimedOutException.class).hasNoCause();
        assertThat(pipeline.abandoned()).isEqualTo(1);
        assertThat(events.stream().map(PipelineEvent::kind)).containsExactly(Kind.ABANDONED, Kind.TIMED_OUT);
        stubborn.countDown();
        Await.until(() -> pipeline.abandoned() == 0);
        thread.join();
        assertThat(time.pendingAlarms()).isZero();
    }

    private static void awaitStubbornly(CountDownLatch latch) {
        Await.until(() -> {
            boolean unused = Thread.interrupted();
            return latch.getCount() == 0;
        });
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void outcomesPassAsTheyAre(CallMode mode) {
        assertThat(mode.start(detached()).awaitAttempts(1).succeed(1, "good").value())
                .isEqualTo("good");
        IOException failure = new IOException();
        assertThat(mode.start(detached()).awaitAttempts(1).fail(1, failure).error())
                .isSameAs(failure);
        assertThat(time.pendingAlarms()).isZero();
        assertThat(events).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void tighterTimeoutAroundFreesTheCallerToo(CallMode mode) {
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(LIMIT)
                .as("outer")
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .timeout(t -> t.limit(Duration.ofSeconds(9)).detached())
                .build();
        OngoingCall<String> call = mode.start(pipeline).awaitAttempts(1);
        assertThat(call.context(1).remaining()).contains(LIMIT);
        time.advance(LIMIT);
        assertThat(call.error())
                .isInstanceOfSatisfying(
                        TimedOutException.class,
                        error -> assertThat(error.strategy()).isEqualTo("outer"));
        assertThat(pipeline.strategy(CircuitBreaker.class)
                        .orElseThrow()
                        .snapshot()
                        .calls())
                .as("forced from outside, with a timeout inside")
                .isZero();
    }

    @Test
    void stageThatDoesNotReactIsCountedAsLeftBehind() {
        Pipeline<String> pipeline =
                Pipeline.<String>named("p").time(time).timeout(LIMIT).build();
        pipeline.addListener(events::add);
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<String> future = pipeline.callAsync(() -> stubborn);
        time.advance(LIMIT);
        assertThat(future).isCompletedExceptionally();
        assertThat(pipeline.abandoned()).isEqualTo(1);
        stubborn.complete("too late");
        assertThat(pipeline.abandoned()).isZero();
        assertThat(events.stream().map(PipelineEvent::kind)).containsExactly(Kind.TIMED_OUT, Kind.ABANDONED);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void functionGivesEachCallItsLimit(CallMode mode) {
        AtomicReference<Duration> asked = new AtomicReference<>(Duration.ofSeconds(2));
        Pipeline<String> pipeline = Pipeline.<String>named("p")
                .time(time)
                .timeout(t -> t.limitFrom(context -> asked.get()))
                .as("budget")
                .build();
        OngoingCall<String> call = mode.start(pipeline);
        assertThat(call.context().remaining()).contains(Duration.ofSeconds(2));
        call.succeed("good");
        asked.set(Duration.ofSeconds(-1));
        assertThat(mode.start(pipeline).error())
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("limitFrom is -1 s, must be from 1 ns to 1 d");
    }

    @Test
    void nameNeedsAStrategy() {
        assertThatThrownBy(() -> Pipeline.<String>named("p").as("early"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no strategy yet");
    }
}
