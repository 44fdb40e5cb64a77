package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitIsolatedException;
import dev.recloser.LimitReachedException;
import dev.recloser.Pipeline;
import dev.recloser.circuitbreaker.CircuitBreaker;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a call leaves to those that come after it, and what is bounded where there is none. */
class AfterCallsTest extends TelemetryFixture {

    @Test
    void a_call_that_begins_when_another_has_ended_is_no_part_of_it() throws Exception {
        Pipeline<Integer> pipeline = Pipeline.<Integer>named("quotes")
                .retry(retry -> retry.maxRetries(1).constantDelay(Duration.ZERO))
                .build();
        telemetry.bind(pipeline);
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Integer> failing = new CompletableFuture<>();
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletableFuture<?>[] second = new CompletableFuture<?>[1];
        inSpan(
                "caller",
                () -> second[0] = pipeline.callAsync(() -> attempts.incrementAndGet() == 1 ? failing : first)
                        .thenCompose(value -> pipeline.callAsync(() -> {
                            assertThat(AttemptContext.in(Context.current())
                                            .call()
                                            .outer())
                                    .isNull();
                            return CompletableFuture.completedFuture(
                                    RecloserTelemetry.attemptsBefore(Context.current()));
                        })));
        failing.completeExceptionally(new IOException("down"));
        while (attempts.get() < 2) {
            Thread.onSpinWait();
        }
        first.complete(1);
        assertThat((Object) second[0].get()).isEqualTo(0);
    }

    @Test
    void a_call_without_a_context_tells_nothing_to_the_span_of_the_thread_that_ends_it() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        telemetry.bind(pipeline);
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> call = pipeline.callAsync(() -> work);
        SpanData other = inSpan("other", () -> work.completeExceptionally(new IOException("down")));
        assertThat(call).isCompletedExceptionally();
        assertThat(names(other)).isEmpty();
    }

    @Test
    void a_circuit_alone_adds_a_bounded_number_of_events_to_a_span() throws Exception {
        CircuitBreaker breaker = CircuitBreaker.of("alone", cb -> cb.openAfterConsecutive(1));
        telemetry.bind(breaker);
        breaker.isolate();
        SpanData caller = inSpan("caller", () -> {
            for (int i = 0; i < 100; i++) {
                try {
                    breaker.call(() -> "never");
                } catch (RuntimeException rejected) {
                    assertThat(rejected).isInstanceOf(CircuitIsolatedException.class);
                }
            }
            return null;
        });
        assertThat(caller.getEvents()).hasSize(32);
    }

    @Test
    void a_circuit_alone_takes_nothing_from_a_pipeline_of_its_name() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("payments")
                .concurrencyLimiter(1)
                .as("payments")
                .build();
        telemetry.bind(pipeline);
        telemetry.bind(CircuitBreaker.of("payments", cb -> cb.openAfterConsecutive(1)));
        CompletableFuture<String> running = new CompletableFuture<>();
        CompletableFuture<String> first = pipeline.callAsync(() -> running);
        assertThat(call(Way.BLOCKING, pipeline, () -> "never")).isInstanceOf(LimitReachedException.class);
        running.complete("ok");
        first.get();
        assertThat(points("recloser.rejections"))
                .containsOnlyKeys("pipeline=payments reason=limit_reached strategy=payments");
    }

    @Test
    void what_is_bound_after_the_end_is_told_nothing() throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .circuitBreaker(cb -> cb.openAfterConsecutive(1))
                .build();
        telemetry.close();
        telemetry.bind(pipeline).remove();
        telemetry.bind(pipeline);
        SpanData caller = inSpan(
                "caller",
                () -> call(Way.BLOCKING, pipeline, () -> {
                    throw new IOException("down");
                }));
        assertThat(names(caller)).isEmpty();
    }

    @Test
    void a_response_comes_even_if_its_span_cannot_be_told() {
        CompletableFuture<HttpResponse<String>> exchange = new CompletableFuture<>();
        @SuppressWarnings("unchecked")
        HttpResponse<String> odd = (HttpResponse<String>) java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpResponse.class},
                (proxy, method, arguments) -> method.getName().equals("statusCode") ? (Object) 200 : null);
        CompletableFuture<HttpResponse<String>> traced = TracedFuture.of(
                exchange, new ClientSpan(tracer.spanBuilder("GET").startSpan(), Context.root()));
        exchange.complete(odd);
        assertThat(traced.isDone() && traced.join() == odd).isTrue();
        assertThat(finished("GET").hasEnded()).isTrue();
    }
}
