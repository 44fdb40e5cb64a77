package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineDescription.Part;
import dev.recloser.timeout.Timeout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The examples of docs/timeout.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class TimeoutExamplesTest {

    private final AtomicReference<Duration> deadlines = new AtomicReference<>(Duration.ofSeconds(3));
    private final Query query = new Query();

    /** The work of the examples. */
    private static final class Query {

        private boolean isCancelled;

        String run(Duration timeout) {
            return "shipped, asked with " + (timeout.isZero() ? "no time" : "some time");
        }

        void cancel() {
            isCancelled = true;
        }
    }

    @Test
    void timeoutsOfTheStart() {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .timeout(Duration.ofSeconds(5)) // for all attempts, with the delays between them
                .as("total")
                .retry(r -> r.maxRetries(2))
                .timeout(Duration.ofSeconds(1)) // for each attempt
                .as("attempt")
                .build();

        assertThat(orders.describe().strategies()).extracting(Part::name).containsExactly("total", "retry", "attempt");
        assertThat(orders.warnings()).isEmpty();
    }

    @Test
    void limitOfEachCall() throws Exception {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .timeout(t -> t.limitFrom(context -> deadlines.get()))
                .build();

        String status = orders.call(context -> {
            context.onCancel(query::cancel);
            return query.run(context.remaining().orElseThrow());
        });

        assertThat(status).isEqualTo("shipped, asked with some time");
        assertThat(query.isCancelled).isFalse();
    }

    @Test
    void detachedTimeout() throws Exception {
        Pipeline<String> reports = Pipeline.<String>named("reports")
                .timeout(t -> t.limit(Duration.ofSeconds(2)).detached())
                .build();

        Thread caller = Thread.currentThread();
        assertThat(reports.call(() -> Thread.currentThread() == caller ? "here" : "elsewhere"))
                .isEqualTo("elsewhere");
        assertThat(reports.strategy(Timeout.class).orElseThrow().isDetached()).isTrue();
        assertThat(reports.abandoned()).isZero();
    }

    @Test
    void defaultsAreThoseOfTheTable() {
        SettingsTable table = new SettingsTable("timeout.md", "setting");
        assertThat(table.cell("detached", "default")).contains("off");
        assertThat(Timeout.of(Duration.ofSeconds(1)).isDetached()).isFalse();
    }
}
