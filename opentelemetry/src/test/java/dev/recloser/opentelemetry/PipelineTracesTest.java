package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.CircuitOpenException;
import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.time.VirtualTime;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the span of a caller is told, and the context of attempts. */
class PipelineTracesTest extends TelemetryFixture {

    private final VirtualTime time = VirtualTime.create();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();

    private static Pipeline<String> retrying(int retries) {
        return Pipeline.<String>named("quotes")
                .retry(retry -> retry.maxRetries(retries).constantDelay(Duration.ofMillis(1)))
                .build();
    }

    /** Notes in which span it runs and how many attempts came before, and fails so many times. */
    private String failFirst(int failures) throws IOException {
        Context context = Context.current();
        seen.add(Span.fromContext(context).getSpanContext().getSpanId() + " "
                + RecloserTelemetry.attemptsBefore(context));
        if (attempts.incrementAndGet() <= failures) {
            throw new IOException("a message that nobody needs to know");
        }
        return "ok";
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_retries_tells_its_callers_span_and_makes_none(Way way) throws Exception {
        Pipeline<String> pipeline = retrying(2);
        telemetry.bind(pipeline);
        SpanData caller = inSpan("caller", () -> call(way, pipeline, () -> failFirst(2)));
        assertThat(names(caller)).containsExactly("recloser.retry", "recloser.retry");
        assertThat(attributes(caller.getEvents().get(1)))
                .containsOnly(
                        entry("recloser.pipeline", "quotes"),
                        entry("recloser.strategy", "retry"),
                        entry("recloser.attempt", 2L),
                        entry("recloser.delay", 0.001),
                        entry("error.type", "java.io.IOException"));
        assertThat(seen)
                .containsExactly(caller.getSpanId() + " 0", caller.getSpanId() + " 1", caller.getSpanId() + " 2");
        assertThat(spans.getFinishedSpanItems()).hasSize(1);
        assertThat(Context.current()).isSameAs(Context.root());
    }

    @ParameterizedTest
    @EnumSource
    void a_circuit_tells_the_span_of_the_call_that_moved_it(Way way) throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .time(time)
                .circuitBreaker(cb -> cb.openAfterConsecutive(2).breakDuration(Duration.ofSeconds(5)))
                .build();
        telemetry.bind(pipeline);
        inSpan("first", () -> call(way, pipeline, () -> failFirst(9)));
        SpanData opening = inSpan("second", () -> call(way, pipeline, () -> failFirst(9)));
        SpanData rejected = inSpan("third", () -> call(way, pipeline, () -> failFirst(9)));
        time.advance(Duration.ofSeconds(6));
        SpanData probing = inSpan("fourth", () -> call(way, pipeline, () -> "ok"));

        assertThat(names(finished("first"))).isEmpty();
        assertThat(names(opening)).containsExactly("recloser.circuit.opened");
        assertThat(attributes(opening.getEvents().get(0)))
                .containsOnly(
                        entry("recloser.pipeline", "quotes"),
                        entry("recloser.strategy", "quotes"),
                        entry("recloser.reason", "failures"),
                        entry("recloser.circuit.calls", 2L),
                        entry("recloser.circuit.failures", 2L),
                        entry("recloser.circuit.break", 5.0),
                        entry("error.type", "java.io.IOException"));
        assertThat(names(rejected)).containsExactly("recloser.rejected");
        assertThat(attributes(rejected.getEvents().get(0)))
                .containsOnly(
                        entry("recloser.pipeline", "quotes"),
                        entry("recloser.strategy", "quotes"),
                        entry("recloser.attempt", 1L),
                        entry("recloser.reason", "circuit_open"),
                        entry("error.type", CircuitOpenException.class.getName()));
        assertThat(names(probing)).containsExactly("recloser.circuit.half_opened", "recloser.circuit.closed");
        assertThat(seen).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void a_circuit_inside_of_a_retry_is_probed_in_the_context_of_the_caller(Way way) throws Exception {
        // The break is over when the retry comes, on a thread of the engine's.
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .retry(retry -> retry.maxRetries(1).constantDelay(Duration.ofMillis(30)))
                .circuitBreaker(cb -> cb.openAfterConsecutive(1)
                        .breakDuration(Duration.ofMillis(20))
                        .breakJitter(0))
                .build();
        telemetry.bind(pipeline);
        SpanData caller = inSpan("caller", () -> call(way, pipeline, () -> failFirst(1)));
        assertThat(names(caller))
                .containsExactly(
                        "recloser.circuit.opened",
                        "recloser.retry",
                        "recloser.circuit.half_opened",
                        "recloser.circuit.closed");
    }

    @ParameterizedTest
    @EnumSource
    void attempts_beside_each_other_run_in_the_context_of_the_caller(Way way) throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .hedging(hedging -> hedging.maxHedges(1).delay(Duration.ofMillis(5)))
                .build();
        telemetry.bind(pipeline);
        CountDownLatch both = new CountDownLatch(2);
        SpanData caller = inSpan("caller", () -> {
            if (way == Way.BLOCKING) {
                return call(way, pipeline, () -> {
                    failFirst(0);
                    both.countDown();
                    both.await();
                    return "ok";
                });
            }
            return pipeline.callAsync(() -> {
                        assertThat(seen.add(Span.current().getSpanContext().getSpanId() + " "
                                        + RecloserTelemetry.attemptsBefore(Context.current())))
                                .isTrue();
                        both.countDown();
                        return CompletableFuture.supplyAsync(
                                () -> {
                                    awaitQuietly(both);
                                    return "ok";
                                },
                                elsewhere);
                    })
                    .get();
        });
        assertThat(seen).containsExactlyInAnyOrder(caller.getSpanId() + " 0", caller.getSpanId() + " 1");
        assertThat(names(caller)).containsExactly("recloser.hedge");
        assertThat(attributes(caller.getEvents().get(0)))
                .containsOnly(
                        entry("recloser.pipeline", "quotes"),
                        entry("recloser.strategy", "hedging"),
                        entry("recloser.attempt", 1L),
                        entry("recloser.hedge", 1L));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_call_adds_a_bounded_number_of_events_and_says_how_many_more_there_were(Way way) throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .retry(retry -> retry.maxRetries(99).constantDelay(Duration.ZERO))
                .build();
        telemetry.bind(pipeline);
        SpanData caller = inSpan("caller", () -> call(way, pipeline, () -> failFirst(1000)));
        assertThat(names(caller)).hasSize(33).endsWith("recloser.events_omitted");
        // 99 retries, and one event that they are exhausted.
        assertThat(attributes(caller.getEvents().get(32))).containsOnly(entry("recloser.count", 68L));
    }

    @Test
    void calls_within_a_call_share_its_bound_while_they_share_its_span() throws Exception {
        Pipeline<String> outer = retrying(9);
        Pipeline<String> inner = Pipeline.<String>named("inner")
                .retry(retry -> retry.maxRetries(9).constantDelay(Duration.ZERO))
                .build();
        telemetry.bind(outer);
        telemetry.bind(inner);
        SpanData caller = inSpan("caller", () -> call(Way.BLOCKING, outer, () -> inner.call(() -> failFirst(1000))));
        assertThat(caller.getEvents()).hasSize(33);
        assertThat(attributes(caller.getEvents().get(32))).containsOnly(entry("recloser.count", 110L - 32));
        assertThat(seen).hasSize(100).endsWith(caller.getSpanId() + " 18");
    }

    @Test
    void a_span_that_a_call_makes_inside_has_events_of_its_own() throws Exception {
        Pipeline<String> outer = retrying(1);
        Pipeline<String> inner = Pipeline.<String>named("inner")
                .retry(retry -> retry.maxRetries(1).constantDelay(Duration.ZERO))
                .build();
        telemetry.bind(outer);
        telemetry.bind(inner);
        SpanData caller = inSpan(
                "caller",
                () -> call(Way.BLOCKING, outer, () -> {
                    inSpan("client", () -> inner.call(() -> failFirst(1)));
                    return "ok";
                }));
        assertThat(names(caller)).isEmpty();
        assertThat(names(finished("client"))).containsExactly("recloser.retry");
        assertThat(finished("client").getParentSpanId()).isEqualTo(caller.getSpanId());
    }

    @Test
    void what_is_bound_twice_tells_once_until_both_registrations_are_removed() throws Exception {
        CircuitBreaker shared = CircuitBreaker.of("shared", cb -> cb.openAfterConsecutive(1));
        Pipeline<String> pipeline =
                Pipeline.<String>named("quotes").circuitBreaker(shared).build();
        Pipeline<String> other =
                Pipeline.<String>named("others").circuitBreaker(shared).build();
        Registration first = telemetry.bind(pipeline);
        Registration second = telemetry.bind(pipeline.once());
        Registration third = telemetry.bind(shared);
        telemetry.bind(other).remove();
        inSpan("opening", () -> call(Way.BLOCKING, pipeline, () -> failFirst(1)));
        inSpan("rejected", () -> call(Way.BLOCKING, pipeline, () -> failFirst(1)));
        first.remove();
        first.remove();
        inSpan("rejected too", () -> call(Way.BLOCKING, pipeline, () -> failFirst(1)));
        second.remove();
        inSpan("told by the circuit", () -> call(Way.BLOCKING, pipeline, () -> failFirst(1)));
        third.remove();
        inSpan("not told", () -> call(Way.BLOCKING, pipeline, () -> failFirst(1)));
        assertThat(names(finished("opening"))).containsExactly("recloser.circuit.opened");
        assertThat(names(finished("rejected"))).containsExactly("recloser.rejected");
        assertThat(names(finished("rejected too"))).containsExactly("recloser.rejected");
        assertThat(names(finished("told by the circuit"))).containsExactly("recloser.rejected");
        assertThat(names(finished("not told"))).isEmpty();
    }

    @Test
    void a_circuit_without_a_pipeline_tells_the_span_of_the_call() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.of("alone", cb -> cb.openAfterConsecutive(1));
        telemetry.bind(breaker);
        SpanData caller = inSpan("caller", () -> {
            for (int i = 0; i < 2; i++) {
                try {
                    breaker.call(() -> failFirst(1));
                } catch (IOException | CircuitOpenException expected) {
                    assertThat(expected).isNotNull();
                }
            }
            return null;
        });
        assertThat(names(caller)).containsExactly("recloser.circuit.opened", "recloser.rejected");
        assertThat(attributes(caller.getEvents().get(1)))
                .containsOnly(entry("recloser.strategy", "alone"), entry("recloser.reason", "circuit_open"));
    }

    @Test
    void a_span_that_is_not_recorded_goes_on_and_is_told_nothing() throws Exception {
        Span unsampled = Span.wrap(SpanContext.create(
                "0123456789abcdef0123456789abcdef",
                "0123456789abcdef",
                TraceFlags.getDefault(),
                TraceState.getDefault()));
        CallTrace trace = new CallTrace(
                new PipelineCalls(retrying(1), PipelineCalls.NOT_MEASURED, true),
                Context.root().with(unsampled));
        assertThat(trace.eventsOf(unsampled)).isNull();
        Pipeline<String> pipeline = retrying(1);
        telemetry.bind(pipeline);
        try (var ignored = unsampled.makeCurrent()) {
            call(Way.ASYNC, pipeline, () -> failFirst(1));
        }
        assertThat(seen).containsExactly("0123456789abcdef 0", "0123456789abcdef 1");
    }

    @Test
    void calls_without_a_context_have_one_watch_together() {
        PipelineCalls calls = new PipelineCalls(retrying(1), PipelineCalls.NOT_MEASURED, true);
        assertThat(calls.begun("quotes")).isInstanceOf(RootWatch.class).isSameAs(calls.begun("quotes"));
        MeasuredCalls meters = new MeasuredCalls(new PipelineMeters("quotes", false, null));
        assertThat(new PipelineCalls(retrying(1), meters, false).begun("quotes"))
                .isSameAs(meters);
    }

    @Test
    void without_traces_the_context_stays_where_it_is() throws Exception {
        Pipeline<String> pipeline = retrying(1);
        try (RecloserTelemetry metricsOnly =
                RecloserTelemetry.builder(sdk).withoutTraces().build()) {
            metricsOnly.bind(pipeline);
            SpanData caller = inSpan("caller", () -> call(Way.ASYNC, pipeline, () -> failFirst(1)));
            assertThat(names(caller)).isEmpty();
            assertThat(seen).containsExactly(caller.getSpanId() + " 0", "0000000000000000 0");
        }
    }

    @Test
    void spans_of_callers_are_theirs() throws Exception {
        Pipeline<String> pipeline = retrying(1);
        telemetry.bind(pipeline);
        SpanData caller = inSpan("caller", () -> call(Way.BLOCKING, pipeline, () -> failFirst(2)));
        assertThat(caller.getKind()).isEqualTo(SpanKind.INTERNAL);
        assertThat(caller.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(names(caller)).containsExactly("recloser.retry", "recloser.retries_exhausted");
    }
}
