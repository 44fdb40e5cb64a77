package dev.recloser.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.telemetry.PipelineLog;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the log says of a call carries the trace of its caller, on whatever thread it is said. */
class LogCorrelationTest extends TelemetryFixture {

    private final Logger logger = Logger.getLogger("dev.recloser.telemetry");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler appender = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + Span.current().getSpanContext().getTraceId() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setLevel(Level.FINE);
        logger.setUseParentHandlers(false);
        logger.addHandler(appender);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(appender);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }

    @ParameterizedTest
    @EnumSource
    void lines_of_a_retry_and_of_an_opening_circuit_carry_the_trace_of_the_caller(Way way) throws Exception {
        Pipeline<String> pipeline = Pipeline.<String>named("quotes")
                .retry(retry -> retry.maxRetries(1).constantDelay(Duration.ofMillis(1)))
                .circuitBreaker(cb -> cb.openAfterConsecutive(2))
                .build();
        PipelineLog.attach(pipeline);
        telemetry.bind(pipeline);
        SpanData caller = inSpan(
                "caller",
                () -> call(way, pipeline, () -> {
                    throw new IOException("gone");
                }));
        String trace = caller.getTraceId();
        assertThat(lines).hasSize(3).allMatch(line -> line.contains(trace), trace);
        assertThat(lines.get(0)).startsWith("FINE").contains("quotes: retry retry, attempt 1, delay 1 ms");
        assertThat(lines.get(1)).startsWith("WARNING").contains("circuit quotes opened");
        assertThat(lines.get(2)).startsWith("FINE").contains("retries exhausted");
    }
}
