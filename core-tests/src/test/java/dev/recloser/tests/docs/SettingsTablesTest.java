package dev.recloser.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recloser.Pipeline;
import dev.recloser.PipelineBuilder;
import dev.recloser.SettingsException;
import dev.recloser.SettingsException.Problem;
import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.chaos.ChaosBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.fallback.FallbackBuilder;
import dev.recloser.hedging.HedgingBuilder;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import dev.recloser.retry.RetryBuilder;
import dev.recloser.spi.JudgingBuilder;
import dev.recloser.timeout.TimeoutBuilder;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of settings in docs/ list the settings of the builders, and the ranges that are checked. Those of the circuit breaker have a
 * {@linkplain CircuitBreakerDocumentTest test of their own}.
 */
class SettingsTablesTest {

    private static final Duration NEGATIVE = Duration.ofSeconds(-1);

    /** The page of a strategy, its builder, and pipelines in which the settings that have a fixed range are outside it. */
    record Page(String name, Class<?> builder, List<UnaryOperator<PipelineBuilder<String>>> mistakes) {

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Page> pages() {
        return List.of(
                new Page("timeout.md", TimeoutBuilder.class, List.of(p -> p.timeout(Duration.ZERO))),
                new Page(
                        "retry.md",
                        RetryBuilder.class,
                        List.of(
                                p -> p.retry(r -> r.maxRetries(-1).constantDelay(NEGATIVE)),
                                p -> p.retry(r -> r.linearBackoff(NEGATIVE)),
                                p -> p.retry(r -> r.exponentialBackoff(NEGATIVE, 0.5)))),
                new Page(
                        "hedging.md",
                        HedgingBuilder.class,
                        List.of(p ->
                                p.hedging(h -> h.maxHedges(0).delay(NEGATIVE).percentile(0)))),
                new Page(
                        "concurrency-limiter.md",
                        ConcurrencyLimiterBuilder.class,
                        List.of(p -> p.concurrencyLimiter(
                                l -> l.maxConcurrent(0).queue(-1).maxWait(NEGATIVE)))),
                new Page(
                        "adaptive-limiter.md",
                        AdaptiveLimiterBuilder.class,
                        List.of(p -> p.adaptiveLimiter(a -> a.latencyGoal(NEGATIVE)
                                .percentile(0)
                                .minLimit(0)
                                .window(NEGATIVE)
                                .minimumSamples(0)
                                .decreaseFactor(0)))),
                new Page(
                        "rate-limiter.md",
                        RateLimiterBuilder.class,
                        List.of(
                                p -> p.rateLimiter(
                                        r -> r.tokenBucket(0, NEGATIVE).maxWait(NEGATIVE)),
                                p -> p.rateLimiter(r -> r.slidingWindow(0, NEGATIVE)))),
                new Page("fallback.md", FallbackBuilder.class, List.of(p -> p.fallback(f -> {}))),
                new Page(
                        "chaos.md",
                        ChaosBuilder.class,
                        List.of(p -> p.chaos(c -> c.latency(-1, NEGATIVE)
                                .fault(-1, IOException::new)
                                .outcome(2, () -> "x")))));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void tableListsTheSettingsOfTheBuilder(Page page) {
        Stream<String> settings = Stream.of(page.builder, page.builder.getSuperclass())
                .filter(type -> type != JudgingBuilder.class)
                .flatMap(type ->
                        Arrays.stream(type.getDeclaredMethods()).filter(method -> method.getReturnType() == type))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(method -> method.getName())
                .distinct();
        assertThat(new SettingsTable(page.name, "setting").settings())
                .containsExactlyInAnyOrderElementsOf(settings.toList());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void rangesAreThoseThatAreChecked(Page page) {
        SettingsTable table = new SettingsTable(page.name, "setting");
        for (UnaryOperator<PipelineBuilder<String>> mistake : page.mistakes) {
            SettingsException refused = catchThrowableOfType(
                    SettingsException.class,
                    () -> mistake.apply(Pipeline.named("p")).build());
            for (Problem problem : refused.problems()) {
                String setting = problem.setting().replaceFirst("^p\\.[^.]*\\.", "");
                table.cell(setting, "range")
                        .ifPresent(range -> assertThat(range).as(setting).startsWith(problem.allowed()));
            }
        }
    }
}
