package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.RejectedException;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.fallback.Fallback;
import dev.recloser.testing.ScriptedCall;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The examples of docs/fallback.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class FallbackExamplesTest {

    private final AtomicReference<String> lastKnown = new AtomicReference<>("12.50");

    /** An exception of the caller's domain. */
    private static final class PriceUnavailableException extends RuntimeException {

        private static final long serialVersionUID = 1;

        PriceUnavailableException(Throwable cause) {
            super(cause);
        }
    }

    @Test
    void fallbackOfTheStart() throws Exception {
        Pipeline<String> prices = Pipeline.<String>named("prices")
                .fallback(f -> f.handle(RejectedException.class).value("unknown"))
                .circuitBreaker(cb -> cb.failureRatio(0.5))
                .timeout(Duration.ofSeconds(1))
                .build();

        prices.strategy(CircuitBreaker.class).orElseThrow().isolate();
        assertThat(prices.call(() -> "never")).isEqualTo("unknown");
        assertThat(prices.strategy(Fallback.class).orElseThrow().snapshot().replaced())
                .isEqualTo(1);
    }

    @Test
    void functions() throws Exception {
        Pipeline<String> cached = Pipeline.<String>named("prices")
                .fallback(f -> f.handle(IOException.class).valueFrom((value, error) -> lastKnown.get()))
                .build();
        Pipeline<String> translated = Pipeline.<String>named("prices")
                .fallback(f ->
                        f.handle(IOException.class).errorFrom((value, error) -> new PriceUnavailableException(error)))
                .build();

        ScriptedCall<String> service =
                ScriptedCall.<String>of().fails(new IOException("down")).times(2);
        assertThat(cached.call(service::call)).isEqualTo("12.50");
        assertThatThrownBy(() -> translated.call(service::call))
                .isInstanceOf(PriceUnavailableException.class)
                .hasRootCauseMessage("down");
    }
}
