package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.PipelineEvent;
import dev.recloser.RejectedException;
import dev.recloser.examples.Outage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/pipelines.md quotes and lists is what the code says. */
@Tag("once")
class PipelinesDocumentTest {

    private static final String PAGE = "pipelines.md";
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void everyKindOfEventIsListedInTheirOrder() {
        assertThat(new SettingsTable(PAGE, "kind").names())
                .containsExactlyElementsOf(Arrays.stream(PipelineEvent.Kind.values())
                        .map(Enum::name)
                        .toList());
    }

    @Test
    void strategiesOfTheStandardPipelineAreListedInTheirOrder() {
        assertThat(new SettingsTable(PAGE, "strategy").names())
                .containsExactlyElementsOf(Pipeline.standard("circuitBreaker").build().describe().strategies().stream()
                        .map(part -> part.name())
                        .toList());
    }

    @Test
    void descriptionIsQuotedAsItIs() {
        String description = Pipeline.standard("payments").build().describe().toString();
        assertThat(String.join("\n", SettingsTable.lines(PAGE))).contains("```\n" + description + "\n```");
    }

    @Test
    void warningsAreQuotedAsTheyAre() {
        List<String> warnings = Stream.<UnaryOperator<PipelineBuilder<String>>>of(
                        p -> p.circuitBreaker(cb -> {}),
                        p -> p.circuitBreaker(cb -> cb.handle(RejectedException.class))
                                .concurrencyLimiter(10)
                                .timeout(SECOND),
                        p -> p.timeout(SECOND).as("total").timeout(SECOND).as("attempt"),
                        p -> p.timeout(SECOND.multipliedBy(2))
                                .retry(r -> r.maxRetries(2).constantDelay(SECOND))
                                .timeout(SECOND),
                        p -> p.retry(r -> r.handle(RejectedException.class))
                                .circuitBreaker(cb -> {})
                                .timeout(SECOND),
                        p -> p.retry(r -> {}).as("outer").retry(r -> {}),
                        p -> p.hedging(h -> h.delay(SECOND)).timeout(SECOND),
                        p -> p.retry(r -> {})
                                .circuitBreaker(cb -> {})
                                .timeout(SECOND)
                                .fallback(f -> f.value("x")),
                        p -> p.adaptiveLimiter(a -> a.latencyGoal(SECOND)).retry(r -> {}),
                        p -> p.concurrencyLimiter(l -> l.queue(5)),
                        p -> p.hedging(h -> {}).retry(r -> {}),
                        p -> p.timeout(SECOND)
                                .as("limit")
                                .rateLimiter(r -> r.tokenBucket(1, SECOND))
                                .as("limit"))
                .flatMap(strategies -> strategies.apply(Pipeline.named("p")).build().warnings().stream())
                .toList();
        assertThat(new SettingsTable(PAGE, "warning").names()).containsExactlyElementsOf(warnings);
    }

    @Test
    void outageIsQuotedAsItIs() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Outage.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        List<String> printed = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        List<String> page = SettingsTable.lines(PAGE);
        int command = page.indexOf("examples/run outage");
        List<String> rest = page.subList(command, page.size());
        int start = rest.subList(2, rest.size()).indexOf("```") + 3;
        List<String> quoted =
                rest.subList(start, start + rest.subList(start, rest.size()).indexOf("```"));
        assertThat(quoted).hasSizeGreaterThan(10);
        assertThat(printed).containsSubsequence(quoted);
    }
}
