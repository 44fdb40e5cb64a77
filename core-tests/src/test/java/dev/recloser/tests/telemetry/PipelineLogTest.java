package dev.recloser.tests.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CallWatch;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitListener;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.PipelineLog;
import dev.recloser.testing.CallMode;
import dev.recloser.tests.Await;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is logged of pipelines: transitions once each, and single calls only where somebody wants to see them. */
@ResourceLock("dev.recloser.telemetry")
class PipelineLogTest {

    private static final String MODES = "dev.recloser.testing.CallMode#available";
    private static final Logger LOGGER = Logger.getLogger("dev.recloser.telemetry");

    private final VirtualTime time = VirtualTime.create();
    private final Lines lines = new Lines();
    private final ThreadLocal<@Nullable String> trace = new ThreadLocal<>();

    /** Keeps what is logged, with the trace of the thread. */
    private final class Lines extends Handler {
        final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            all.add(line.getLevel() + " " + trace.get() + " " + line.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.INFO);
        LOGGER.addHandler(lines);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(lines);
        LOGGER.setUseParentHandlers(true);
        LOGGER.setLevel(null);
    }

    private Pipeline<String> pipeline() {
        Pipeline<String> pipeline = Pipeline.<String>named("orders")
                .time(time)
                .retry(r -> r.maxRetries(1).constantDelay(Duration.ofSeconds(1)).withoutJitter())
                .as("again")
                .circuitBreaker(cb -> cb.openAfterConsecutive(2).breakDuration(Duration.ofSeconds(30)))
                .as("breaker")
                .build();
        pipeline.addCallListener(name -> new CallWatch() {
            @Override
            public Scope enter(int attempt, int hedge) {
                trace.set("trace");
                return () -> trace.remove();
            }
        });
        return pipeline;
    }

    private void breakIt(CallMode mode, Pipeline<String> pipeline) {
        var call = mode.start(pipeline).fail(new IOException("refused"));
        time.advance(Duration.ofSeconds(1));
        call.awaitAttempts(2).fail(new IOException("refused")).awaitEnd();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void outageOfAThousandCallsIsOneLine(CallMode mode) {
        Pipeline<String> pipeline = pipeline();
        PipelineLog.attach(pipeline);
        breakIt(mode, pipeline);
        for (int i = 0; i < 1000; i++) {
            mode.start(pipeline).awaitEnd();
        }
        assertThat(lines.all)
                .singleElement()
                .asString()
                .startsWith("WARNING ")
                .endsWith("circuit breaker opened: 100 % of 2 calls failed; next probe in 30 s;"
                        + " last failure: java.io.IOException: refused");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void recoveryIsTwoLinesMore(CallMode mode) {
        Pipeline<String> pipeline = pipeline();
        PipelineLog.attach(pipeline);
        breakIt(mode, pipeline);
        time.advance(Duration.ofSeconds(30));
        mode.start(pipeline).succeed("v").awaitEnd();
        assertThat(lines.all).hasSize(3);
        assertThat(lines.all.get(1))
                .startsWith("INFO")
                .contains("circuit breaker half-open: the break is over, and this call is the probe");
        assertThat(lines.all.get(2)).startsWith("INFO").contains("circuit breaker closed: the probe succeeded");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void singleCallsAreLoggedOnlyWhereSwitchedOnAndInTheContextOfTheirCall(CallMode mode) {
        LOGGER.setLevel(Level.ALL);
        Pipeline<String> pipeline = pipeline();
        PipelineLog.attach(pipeline);
        breakIt(mode, pipeline);
        mode.start(pipeline).awaitEnd();
        assertThat(lines.all)
                .anyMatch(line -> line.equals(
                        "FINE trace orders: again retry, attempt 1, delay 1000 ms: java.io.IOException: refused"))
                .anyMatch(line -> line.startsWith("FINE trace orders: breaker rejected, attempt 1: "));
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void nothingIsLoggedOnceItIsDetached(CallMode mode) {
        Pipeline<String> pipeline = pipeline();
        Registration registration = PipelineLog.attach(pipeline);
        registration.remove();
        breakIt(mode, pipeline);
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        assertThat(lines.all).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void circuitThatIsAttachedTwiceIsLoggedOnceUntilBothAreDetached(CallMode mode) {
        Pipeline<String> pipeline = pipeline();
        CircuitBreaker breaker = pipeline.strategy(CircuitBreaker.class).orElseThrow();
        Registration first = PipelineLog.attach(pipeline);
        Registration second = PipelineLog.attach(breaker);
        breakIt(mode, pipeline);
        assertThat(lines.all).hasSize(1);
        first.remove();
        breaker.close();
        assertThat(lines.all).hasSize(2);
        second.remove();
        breaker.isolate();
        assertThat(lines.all).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void pipelineThatIsAttachedTwiceIsLoggedOnceUntilBothAreDetached(CallMode mode) {
        LOGGER.setLevel(Level.ALL);
        Pipeline<String> pipeline = pipeline();
        Registration first = PipelineLog.attach(pipeline);
        Registration second = PipelineLog.attach(pipeline.once());
        pipeline.strategy(CircuitBreaker.class).orElseThrow().isolate();
        lines.all.clear();
        mode.start(pipeline).awaitEnd();
        assertThat(lines.all).singleElement().asString().contains("breaker rejected");
        first.remove();
        first.remove();
        mode.start(pipeline).awaitEnd();
        assertThat(lines.all).hasSize(2);
        second.remove();
        mode.start(pipeline).awaitEnd();
        assertThat(lines.all).hasSize(2);
    }

    @Test
    void whatIsAttachedIsForgottenWithItsListeners() {
        List<WeakReference<Object>> left = attachedAndLeft();
        Await.until(() -> {
            System.gc();
            return left.stream().allMatch(each -> each.get() == null);
        });
    }

    /** A pipeline and a circuit that nobody knows but their own listeners. */
    private List<WeakReference<Object>> attachedAndLeft() {
        Pipeline<String> pipeline = pipeline();
        CircuitBreaker breaker = CircuitBreaker.of("breaker", cb -> cb.openAfterConsecutive(1), time);
        PipelineLog.attach(pipeline);
        PipelineLog.attach(breaker);
        pipeline.addListener(event -> lines.all.add(pipeline.name()));
        breaker.addListener(new CircuitListener() {
            @Override
            public void transitioned(CircuitTransition transition) {
                lines.all.add(breaker.name());
            }
        });
        return List.of(new WeakReference<>(pipeline), new WeakReference<>(breaker));
    }
}
