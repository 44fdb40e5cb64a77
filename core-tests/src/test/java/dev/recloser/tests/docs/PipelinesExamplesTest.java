package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineDescription.Part;
import dev.recloser.Registration;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The examples of docs/pipelines.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class PipelinesExamplesTest {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final PaymentService service = new PaymentService();
    private final String id = "42";

    /** The dependency of the examples. */
    private static final class PaymentService {

        private final AtomicInteger transfers = new AtomicInteger();

        String status(String id) {
            return "settled " + id;
        }

        CompletableFuture<String> statusAsync(String id) {
            return CompletableFuture.completedFuture("settled " + id);
        }

        String transfer(int amount) throws IOException {
            transfers.incrementAndGet();
            throw new IOException("nobody knows whether " + amount + " was transferred");
        }
    }

    @Test
    void standardPipeline() throws Exception {
        Pipeline<String> payments = Pipeline.<String>standard("payments").build();

        String status = payments.call(() -> service.status(id));
        CompletableFuture<String> later = payments.callAsync(() -> service.statusAsync(id));

        assertThat(status).isEqualTo("settled 42");
        assertThat(later).isCompletedWithValue("settled 42");
    }

    @Test
    void standardPipelineWithChanges() {
        Pipeline<String> payments = Pipeline.<String>standard("payments")
                .totalTimeout(Duration.ofSeconds(5))
                .attemptTimeout(Duration.ofSeconds(1))
                .retry(r -> r.maxRetries(2).exponentialBackoff(Duration.ofMillis(200)))
                .circuitBreaker(cb -> cb.failureRatio(0.5).minimumThroughput(20))
                .without(StandardPipelineBuilder.CONCURRENCY_LIMITER)
                .build();

        assertThat(payments.describe().strategies())
                .extracting(Part::name)
                .containsExactly("totalTimeout", "retry", "payments", "attemptTimeout");
        assertThat(payments.warnings()).isEmpty();
    }

    @Test
    void listenerAndWorkThatMustNotRunTwice() throws Exception {
        int amount = 100;
        Pipeline<String> payments = Pipeline.<String>standard("payments")
                .time(VirtualTime.selfAdvancing())
                .build();

        Registration registration = payments.addListener(
                event -> log.add(event.strategy() + ": " + event.kind() + " after attempt " + event.attempt()));

        try {
            String receipt = payments.once().call(() -> service.transfer(amount));
            log.add(receipt);
        } catch (IOException down) {
            assertThat(service.transfers).hasValue(1);
        }
        try {
            log.add(payments.call(() -> service.transfer(amount)));
        } catch (IOException down) {
            assertThat(service.transfers).hasValue(1 + 4);
        }
        registration.remove();
        assertThat(log)
                .containsExactly(
                        "retry: RETRY after attempt 1",
                        "retry: RETRY after attempt 2",
                        "retry: RETRY after attempt 3",
                        "retry: RETRIES_EXHAUSTED after attempt 4");
    }

    @Test
    void names() {
        Pipeline<String> quotes = Pipeline.<String>named("quotes")
                .timeout(Duration.ofSeconds(3))
                .as("total")
                .retry(r -> r.maxRetries(1))
                .timeout(Duration.ofSeconds(1))
                .as("attempt")
                .build();

        assertThat(quotes.describe().strategies()).extracting(Part::name).containsExactly("total", "retry", "attempt");
        assertThat(quotes.warnings()).isEmpty();
    }
}
