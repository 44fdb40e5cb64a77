package dev.recloser;

import dev.recloser.adaptivelimiter.AdaptiveLimiter;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import dev.recloser.fallback.Fallback;
import dev.recloser.hedging.Hedging;
import dev.recloser.ratelimiter.RateLimiter;
import dev.recloser.retry.Retry;
import dev.recloser.spi.SettingsCheck;
import dev.recloser.spi.Strategy;
import dev.recloser.timeout.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Looks at a pipeline as a whole: what is unwise about it, though not wrong, and what its order means. */
final class PipelineAdvice {

    private final List<Layer> layers;
    private final List<String> warnings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private PipelineAdvice(List<Layer> layers) {
        this.layers = layers;
    }

    static List<String> warnings(List<Layer> layers) {
        PipelineAdvice advice = new PipelineAdvice(layers);
        advice.warnOfNames();
        layers.forEach(advice::warn);
        return List.copyOf(advice.warnings);
    }

    static List<String> notes(List<Layer> layers) {
        PipelineAdvice advice = new PipelineAdvice(layers);
        layers.forEach(advice::note);
        return List.copyOf(advice.notes);
    }

    private void warnOfNames() {
        Set<String> seen = new HashSet<>();
        layers.stream()
                .map(layer -> layer.strategy.name())
                .filter(name -> !seen.add(name))
                .distinct()
                .forEach(name -> warnings.add("more than one strategy is called " + name
                        + ": rejections, events and metrics do not tell them apart"));
    }

    private void warn(Layer layer) {
        if (layer.strategy instanceof CircuitBreaker) {
            warnOfBreaker(layer);
        } else if (layer.strategy instanceof Timeout timeout) {
            warnOfTimeout(layer, timeout);
        } else if (layer.strategy instanceof Retry retry) {
            warnOfRetry(layer, retry);
        } else if (layer.strategy instanceof Hedging hedging) {
            warnOfHedging(layer, hedging);
        } else if (layer.strategy instanceof Fallback) {
            warnOfFallback(layer);
        } else if (layer.strategy instanceof AdaptiveLimiter) {
            warnOfAdaptiveLimiter(layer);
        } else if (layer.strategy instanceof ConcurrencyLimiter limiter) {
            warnOfQueue(layer, limiter);
        }
    }

    private void warnOfBreaker(Layer layer) {
        if (!layer.hasTimeoutInside) {
            warnings.add("no timeout stands inside the circuit breaker: of calls that hang it learns late, or nothing");
        }
        inside(layer)
                .filter(PipelineAdvice::isLimiter)
                .filter(limiter -> isFailure(layer, rejectionOf(limiter)))
                .forEach(limiter -> warnings.add("the circuit breaker counts what " + limiter.strategy.name()
                        + " inside it rejects as failures: load alone can open the circuit"));
    }

    private void warnOfTimeout(Layer layer, Timeout timeout) {
        Optional<Duration> limit = timeout.limit();
        inside(layer)
                .filter(inner -> inner.strategy instanceof Timeout)
                .forEach(inner -> fixedLimit(inner)
                        .filter(innerLimit -> limit.isPresent() && limit.get().compareTo(innerLimit) <= 0)
                        .ifPresent(innerLimit -> warnings.add(named(layer) + " is not longer than " + named(inner)
                                + " inside it, which therefore never cuts a call")));
    }

    private void warnOfRetry(Layer layer, Retry retry) {
        Duration delays = retry.worstCaseDelay();
        Duration attempt = inside(layer)
                .flatMap(inner -> fixedLimit(inner).stream())
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
        outside(layer)
                .filter(outer -> fixedLimit(outer)
                        .filter(limit -> delays.plus(attempt).compareTo(limit) > 0)
                        .isPresent())
                .forEach(outer -> warnings.add(retry.name() + " can wait for up to " + readableUp(delays)
                        + " in all"
                        + (attempt.isZero() ? "" : ", and its last attempt take " + SettingsCheck.readable(attempt))
                        + ", which does not fit into " + named(outer)));
        if (has(inside(layer), CircuitBreaker.class) && isFailure(layer, new CircuitOpenException("", "", 0, null))) {
            warnings.add(retry.name() + " retries what an open circuit rejects: it waits for nothing");
        }
        outside(layer)
                .filter(outer -> outer.strategy instanceof Retry)
                .forEach(outer -> warnings.add(retry.name() + " stands inside " + outer.strategy.name()
                        + ": their attempts multiply, to "
                        + (retry.maxRetries() + 1L) * (((Retry) outer.strategy).maxRetries() + 1L)));
    }

    private void warnOfHedging(Layer layer, Hedging hedging) {
        inside(layer)
                .filter(inner -> inner.strategy instanceof Retry)
                .forEach(inner -> warnings.add(inner.strategy.name() + " stands inside " + hedging.name()
                        + ": each hedge retries by itself, and attempts multiply"));
        if (hedging.percentile().isPresent()) {
            // It will find its delay.
            return;
        }
        Duration delay = hedging.snapshot().delay();
        Stream.concat(outside(layer), inside(layer))
                .filter(other -> fixedLimit(other)
                        .filter(limit -> limit.compareTo(delay) <= 0)
                        .isPresent())
                .forEach(other -> warnings.add(hedging.name() + " waits for "
                        + readableUp(delay) + ", not less than " + named(other)
                        + ": no attempt is ever hedged for being slow"));
    }

    private void warnOfFallback(Layer layer) {
        outside(layer)
                .filter(outer -> outer.strategy instanceof Retry || outer.strategy instanceof CircuitBreaker)
                .forEach(outer -> warnings.add(layer.strategy.name() + " stands inside "
                        + (outer.strategy instanceof Retry
                                ? outer.strategy.name() + ", which never sees the failures that it replaces: they are"
                                        + " not retried"
                                : "the circuit breaker, which never sees the failures that it replaces")));
    }

    private void warnOfAdaptiveLimiter(Layer layer) {
        inside(layer)
                .filter(inner -> inner.strategy instanceof Retry || inner.strategy instanceof Hedging)
                .forEach(inner -> warnings.add(layer.strategy.name() + " stands around " + inner.strategy.name()
                        + " and takes its delays for latency of the dependency"));
    }

    private void warnOfQueue(Layer layer, ConcurrencyLimiter limiter) {
        boolean waitsForEver = limiter.queue() > 0 && limiter.maxWait().equals(Duration.ofDays(1));
        if (waitsForEver && outside(layer).noneMatch(outer -> outer.deadline != null)) {
            warnings.add(limiter.name() + " has a queue, in which calls may wait for a day: set maxWait, or a timeout"
                    + " around it");
        }
    }

    private void note(Layer layer) {
        if (layer.strategy instanceof CircuitBreaker) {
            noteOfBreaker(layer);
        } else if (isLimiter(layer)) {
            repeatersAround(layer)
                    .forEach(outer -> notes.add("each attempt of " + outer.strategy.name() + " needs a permit of "
                            + layer.strategy.name() + ", which stands inside it"));
        }
    }

    private void noteOfBreaker(Layer layer) {
        repeatersAround(layer)
                .forEach(outer -> notes.add("the circuit breaker sees attempts: it stands inside "
                        + outer.strategy.name() + ", and each attempt counts"));
        inside(layer)
                .filter(PipelineAdvice::repeats)
                .forEach(inner -> notes.add("the circuit breaker sees whole calls: it stands around "
                        + inner.strategy.name() + ", and all attempts of a call count as one"));
    }

    // ---- what stands where

    private Stream<Layer> outside(Layer layer) {
        return layers.stream().limit(layer.index);
    }

    private Stream<Layer> inside(Layer layer) {
        return layers.stream().skip(layer.index + 1L);
    }

    private Stream<Layer> repeatersAround(Layer layer) {
        return outside(layer).filter(PipelineAdvice::repeats);
    }

    private static boolean repeats(Layer layer) {
        return layer.strategy instanceof Retry || layer.strategy instanceof Hedging;
    }

    private static boolean isLimiter(Layer layer) {
        Predicate<Class<? extends Strategy>> is = kind -> kind.isInstance(layer.strategy);
        return is.test(ConcurrencyLimiter.class) || is.test(AdaptiveLimiter.class) || is.test(RateLimiter.class);
    }

    private static boolean has(Stream<Layer> some, Class<? extends Strategy> kind) {
        return some.anyMatch(layer -> kind.isInstance(layer.strategy));
    }

    private static RejectedException rejectionOf(Layer limiter) {
        return limiter.strategy instanceof RateLimiter
                ? new RateExceededException("", "", RejectedException.UNKNOWN, null)
                : new LimitReachedException("", "", RejectedException.UNKNOWN, null);
    }

    /** A predicate of the user's may not be made for being asked beforehand. */
    @SuppressWarnings("UnusedException") // it says nothing about the pipeline
    private static boolean isFailure(Layer layer, RejectedException rejection) {
        try {
            return layer.classifier.classify(null, rejection) == OutcomeClass.FAILURE;
        } catch (Throwable predicateThrew) {
            return false;
        }
    }

    private static Optional<Duration> fixedLimit(Layer layer) {
        return layer.strategy instanceof Timeout timeout ? timeout.limit() : Optional.empty();
    }

    /** What was worked out by a formula, rounded up to whole milliseconds. */
    private static String readableUp(Duration exact) {
        Duration down = Duration.ofMillis(exact.toMillis());
        return SettingsCheck.readable(down.equals(exact) ? exact : down.plusMillis(1));
    }

    private static String named(Layer timeout) {
        return timeout.strategy.name() + " of "
                + fixedLimit(timeout).map(SettingsCheck::readable).orElse("each call");
    }
}
