package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.hedging.Hedging;
import dev.recloser.hedging.HedgingSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples of docs/hedging.md, as they stand there; {@link DocumentedCodeTest} sees to that. */
class HedgingExamplesTest {

    private final List<String> log = new ArrayList<>();
    private final Index index = new Index();
    private final String words = "circuit breaker";

    /** The dependency of the examples. */
    private static final class Index {

        private Thread adder;

        String find(String words) {
            return "found " + words;
        }

        String add(String words) {
            adder = Thread.currentThread();
            return "added " + words;
        }
    }

    @Test
    void hedgingOfTheStart() throws Exception {
        Pipeline<String> search = Pipeline.<String>named("search")
                .timeout(Duration.ofSeconds(2)) // for all attempts together
                .hedging(h -> h.delay(Duration.ofMillis(100)))
                .build();

        String hits = search.call(() -> index.find(words));

        assertThat(hits).isEqualTo("found circuit breaker");
        assertThat(search.warnings()).isEmpty();
        search.once().call(() -> index.add(words));
        assertThat(index.adder).isSameAs(Thread.currentThread());
    }

    @Test
    void delayByPercentile() {
        Pipeline<String> search = Pipeline.<String>named("search")
                .hedging(h -> h.percentile(0.95).delay(Duration.ofMillis(200)))
                .build();

        HedgingSnapshot seen = search.strategy(Hedging.class).orElseThrow().snapshot();
        log.add(seen.hedges() + " hedges, the next after " + seen.delay().toMillis() + " ms");
        assertThat(log).containsExactly("0 hedges, the next after 200 ms");
    }

    @Test
    void defaultsAreThoseOfTheTable() {
        SettingsTable table = new SettingsTable("hedging.md", "setting");
        Map<String, String> defaults = Hedging.of("search", h -> {}).settings();
        for (String setting : List.of("maxHedges", "delay")) {
            assertThat(table.cell(setting, "default")).as(setting).contains(defaults.get(setting));
        }
    }
}
