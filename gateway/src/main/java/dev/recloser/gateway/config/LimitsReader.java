package dev.recloser.gateway.config;

import dev.recloser.adaptivelimiter.AdaptiveLimiterBuilder;
import dev.recloser.concurrencylimiter.ConcurrencyLimiterBuilder;
import dev.recloser.gateway.config.Section.Entry;
import dev.recloser.ratelimiter.RateLimiterBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads how much of its service a cluster lets clients ask for. */
final class LimitsReader {

    static final String RATE = "rate-limit";
    static final String CONCURRENCY = "concurrency-limit";
    static final String ADAPTIVE = "adaptive-limit";
    static final String BODY = "max-request-body";

    /** A client waits for its answer meanwhile. */
    private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(1);

    private static final String SLIDING_WINDOW = "sliding-window";
    private static final String TOKEN_BUCKET = "token-bucket";
    private static final List<String> ALGORITHMS = List.of(TOKEN_BUCKET, SLIDING_WINDOW);
    private static final int MOST = 1_000_000;

    static final Keys RATE_KEYS = Keys.NONE
            .optional(
                    "algorithm",
                    Shape.oneOf(ALGORITHMS).byDefault(TOKEN_BUCKET),
                    "token-bucket: permits come one by one; sliding-window: at most so many in any time of that length")
            .required(
                    "permits",
                    Shape.wholeNumber(1, 1_000_000_000).example(100),
                    "how many requests may begin in that time; of a sliding window at most 100000")
            .optional("per", Shape.duration().byDefault("1s"), "which time, at most 1d")
            .optional(
                    "burst",
                    Shape.wholeNumber(1, 1_000_000_000),
                    "how many requests may begin at once after a quiet time, for a token bucket; as permits if left out")
            .optional(
                    "max-wait",
                    Shape.duration(),
                    "how long a request may wait for its time, at most 1d; it does not wait if left out");
    static final Keys CONCURRENCY_KEYS = Keys.NONE
            .required(
                    "max-concurrent",
                    Shape.wholeNumber(1, MOST).example(100),
                    "how many requests may be under way at a time, to their last byte")
            .optional(
                    "queue",
                    Shape.wholeNumber(0, MOST).byDefault(0),
                    "how many may wait for others to end; the first to come is the first to go on")
            .optional(
                    "max-wait",
                    Shape.duration().byDefault(DEFAULT_MAX_WAIT),
                    "how long a request may wait for its turn, at most 1d");
    static final Keys ADAPTIVE_KEYS = Keys.NONE
            .required(
                    "latency-goal",
                    Shape.duration().example("100ms"),
                    "how long the service may take to begin its answer when it has as much to do as it should have, at most 1d")
            .optional(
                    "percentile",
                    Shape.number(0.1, 0.99).byDefault(0.5),
                    "which share of the requests must be within that")
            .optional("min-limit", Shape.wholeNumber(1, MOST).byDefault(1), "as low as the limit can fall")
            .optional(
                    "max-limit",
                    Shape.wholeNumber(1, MOST).byDefault(1000),
                    "as high as it can rise, at least min-limit")
            .optional(
                    "initial-limit",
                    Shape.wholeNumber(1, MOST).byDefault(20),
                    "the limit at the start, from min-limit to max-limit")
            .optional(
                    "window",
                    Shape.duration().byDefault("100ms"),
                    "how long requests are gathered before they are judged together, from 1ms to 1h")
            .optional(
                    "minimum-samples",
                    Shape.wholeNumber(1, 10_000).byDefault(10),
                    "how many are judged together at least")
            .optional(
                    "decrease-factor",
                    Shape.number(0.1, 0.99).byDefault(0.9),
                    "by what the limit is multiplied when the goal was missed");

    private final Findings findings;
    private final Scalars scalars;
    private final ConnectionLimitReader connections;

    LimitsReader(Findings findings) {
        this.findings = findings;
        this.connections = new ConnectionLimitReader(findings);
        this.scalars = new Scalars(findings);
    }

    LimitsConfig read(Section cluster, Duration connectTimeout) {
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
                cluster.optional(BODY).map(scalars::size).orElse(OptionalLong.empty()),
                connections.read(cluster, connectTimeout));
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
        String algorithm = entry.flatMap(scalars::text).orElse(TOKEN_BUCKET);
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
