package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.chaos.Chaos;
import dev.recloser.chaos.ChaosSnapshot;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples of docs/chaos.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class ChaosExamplesTest {

    @Test
    void chaosOfTheStart() throws Exception {
        Pipeline<String> orders = Pipeline.<String>named("orders")
                .circuitBreaker(cb -> cb.failureRatio(0.5))
                .timeout(Duration.ofSeconds(1))
                .chaos(c -> c.latency(0.10, Duration.ofSeconds(2)).fault(0.05, () -> new IOException("chaos")))
                .build();

        assertThat(orders.call(() -> "fine")).isEqualTo("fine");
        Chaos chaos = orders.strategy(Chaos.class).orElseThrow();
        chaos.enable();
        ChaosSnapshot done = chaos.snapshot(); // how many calls were delayed, and how many did not take place
        chaos.disable();

        assertThat(done).isEqualTo(new ChaosSnapshot("chaos", 0, 0, 0));
        assertThat(chaos.isEnabled()).isFalse();
    }
}
