package dev.recloser.gateway.config;

import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads how much of its service a cluster lets clients ask for. */
final class LimitsReader {

    static final String RATE = "rate-limit";
    static final String CONCURRENCY = "concurrency-limit";
    static final String ADAPTIVE = "adaptive-limit";
    static final String BODY = "max-request-body";

    private static final Set<String> RATE_KEYS = Set.of("algorithm", "permits", "per", "burst", "max-wait");
    private static final Set<String> CONCURRENCY_KEYS = Set.of("max-concurrent", "queue", "max-wait");
    private static final Set<String> ADAPTIVE_KEYS = Set.of(
            "latency-goal",
            "percentile",
            "min-limit",
            "max-limit",
            "initial-limit",
            "window",
            "minimum-samples",
            "decrease-factor");

    /** A client waits for its answer meanwhile. */
    private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(1);

    private static final String SLIDING_WINDOW = "sliding-window";
    private static final Set<String> ALGORITHMS = Set.of("token-bucket", SLIDING_WINDOW);

    private final Findings findings;
    private final Scalars scalars;

    LimitsReader(Findings findings) {
        this.findings = findings;
        this.scalars = new Scalars(findings);
    }

    LimitsConfig read(Section cluster) {
        Optional<Entry> fixed = cluster.optional(CONCURRENCY);
        Optional<Entry> adaptive = cluster.optional(ADAPTIVE);
        if (fixed.isPresent() && adaptive.isPresent()) {
            findings.error(
                    adaptive.get().keyNode(),
                    "there are both " + CONCURRENCY + " and " + ADAPTIVE
                            + ", which bound the same; leave one of them out");
        }
        return new LimitsConfig(
                cluster.optional(RATE).flatMap(this::rate),
                fixed.flatMap(this::concurrency).or(() -> adaptive.flatMap(this::adaptive)),
                cluster.optional(BODY).map(scalars::size).orElse(OptionalLong.empty()));
    }

    private Optional<LimiterConfig> concurrency(Entry entry) {
        return StrategySettings.of(entry, CONCURRENCY_KEYS, findings).flatMap(settings -> {
            ConcurrencyLimiterBuilder builder = new ConcurrencyLimiterBuilder().maxWait(DEFAULT_MAX_WAIT);
            if (settings.section().optional("queue").isEmpty()) {
                settings.section()
                        .optional("max-wait")
                        .ifPresent(unused -> findings.warning(
                                unused.value(),
                                "max-wait says nothing without a queue; add queue: 100 or leave it out"));
            }
            boolean work = settings.require("max-concurrent", "100")
                    .whole("max-concurrent", builder::maxConcurrent)
                    .whole("queue", builder::queue)
                    .duration("max-wait", builder::maxWait)
                    .work(builder::check);
            return work ? Optional.of(new LimiterConfig((name, time) -> builder.build(name))) : Optional.empty();
        });
    }

    private Optional<LimiterConfig> adaptive(Entry entry) {
        return StrategySettings.of(entry, ADAPTIVE_KEYS, findings).flatMap(settings -> {
            AdaptiveLimiterBuilder<Object> builder = new AdaptiveLimiterBuilder<>();
            boolean work = settings.require("latency-goal", "100ms")
                    .duration("latency-goal", builder::latencyGoal)
                    .decimal("percentile", builder::percentile)
                    .whole("min-limit", builder::minLimit)
                    .whole("max-limit", builder::maxLimit)
                    .whole("initial-limit", builder::initialLimit)
                    .duration("window", builder::window)
                    .whole("minimum-samples", builder::minimumSamples)
                    .decimal("decrease-factor", builder::decreaseFactor)
                    .work(builder::check);
            return work ? Optional.of(new LimiterConfig(builder::build)) : Optional.empty();
        });
    }

    private static final class Rate {
        int permits = 1;
        Duration per = Duration.ofSeconds(1);
    }

    private Optional<LimiterConfig> rate(Entry entry) {
        return StrategySettings.of(entry, RATE_KEYS, findings).flatMap(settings -> {
            RateLimiterBuilder builder = new RateLimiterBuilder();
            Rate rate = new Rate();
            settings.require("permits", "100")
                    .whole("permits", permits -> rate.permits = permits)
                    .duration("per", per -> rate.per = per)
                    .duration("max-wait", builder::maxWait);
            if (isSliding(settings.section())) {
                settings.section()
                        .optional("burst")
                        .ifPresent(burst ->
                                findings.error(burst.keyNode(), "burst is for algorithm: token-bucket; leave it out"));
                builder.slidingWindow(rate.permits, rate.per);
            } else {
                settings.whole("burst", builder::burst);
                builder.tokenBucket(rate.permits, rate.per);
            }
            return settings.work(builder::check, LimitsReader::rateKey)
                    ? Optional.of(new LimiterConfig(builder::build))
                    : Optional.empty();
        });
    }

    private boolean isSliding(Section section) {
        Optional<Entry> entry = section.optional("algorithm");
        String algorithm = entry.flatMap(scalars::text).orElse("token-bucket");
        if (!ALGORITHMS.contains(algorithm)) {
            findings.error(
                    entry.get().value(),
                    "algorithm is '" + algorithm + "'; " + Nearest.hint(algorithm, ALGORITHMS, "algorithms"));
        }
        return algorithm.equals(SLIDING_WINDOW);
    }

    /** Both algorithms have a number and a time, which have one name here. */
    private static String rateKey(String setting) {
        String last = setting.substring(setting.lastIndexOf(' ') + 1);
        return switch (last) {
            case "limit" -> "permits";
            case "span" -> "per";
            default -> last;
        };
    }
}
