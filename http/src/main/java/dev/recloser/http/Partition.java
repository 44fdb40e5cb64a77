package dev.recloser.http;

import dev.recloser.Pipeline;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Race;
import dev.recloser.spi.Strategy;
import dev.recloser.time.TimeSource;
import dev.recloser.timeout.Timeout;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The requests that share a pipeline, and how many of them are under way. Thread-safe. */
final class Partition {

    /** The name of the timeout that holds because of {@link java.net.http.HttpRequest#timeout}. */
    static final String REQUEST_TIMEOUT = "requestTimeout";

    /** By so much later than the transport, which is to come first: what it says is an outcome of the attempt, and counts. */
    private static final Duration MARGIN = Duration.ofMillis(250);

    /** As long as a timeout can be. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** For {@link #underWay}: the partition has left. */
    private static final int GONE = -1;

    private final String key;
    private final Variants pipelines;
    private final Registration listener;
    private final Duration total;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile long lastUsed;

    /** The last one made: most callers have one constant for their timeout. */
    private volatile @Nullable Limited limited;

    /** One pipeline, for requests that may be repeated and for others. */
    private record Variants(Pipeline<HttpResponse<?>> repeating, Pipeline<HttpResponse<?>> once) {

        static Variants of(Pipeline<HttpResponse<?>> pipeline) {
            return new Variants(pipeline, pipeline.once());
        }

        Pipeline<HttpResponse<?>> get(boolean isRepeatable) {
            return isRepeatable ? repeating : once;
        }
    }

    private record Limited(Duration timeout, Variants pipelines) {}

    Partition(String key, Pipeline<HttpResponse<?>> pipeline, Registration listener) {
        this.key = key;
        this.pipelines = Variants.of(pipeline);
        this.listener = listener;
        this.total = totalOf(pipeline);
        this.lastUsed = TimeSource.system().nanoTime();
    }

    /** The shortest of the limits around all attempts. */
    private static Duration totalOf(Pipeline<HttpResponse<?>> pipeline) {
        Duration shortest = LONGEST;
        for (Strategy strategy : pipeline.strategies()) {
            if (strategy instanceof Continuation || strategy instanceof Race) {
                break;
            }
            if (strategy instanceof Timeout timeout) {
                Duration limit = timeout.limit().orElse(LONGEST);
                shortest = limit.compareTo(shortest) < 0 ? limit : shortest;
            }
        }
        return shortest;
    }

    String key() {
        return key;
    }

    Pipeline<HttpResponse<?>> pipeline() {
        return pipelines.repeating();
    }

    /**
     * The pipeline for a request.
     *
     * @param timeout the timeout of the request, which bounds all attempts together, too
     * @param isRepeatable whether there may be more than one
     */
    Pipeline<HttpResponse<?>> pipelineFor(Optional<Duration> timeout, boolean isRepeatable) {
        return timeout.isEmpty() ? pipelines.get(isRepeatable) : pipelineWithin(timeout.get(), isRepeatable);
    }

    private Pipeline<HttpResponse<?>> pipelineWithin(Duration timeout, boolean isRepeatable) {
        if (timeout.compareTo(total) >= 0 || timeout.plus(MARGIN).compareTo(total) >= 0) {
            return pipelines.get(isRepeatable);
        }
        Limited last = limited;
        if (last == null || !last.timeout.equals(timeout)) {
            Timeout limit = Timeout.of(REQUEST_TIMEOUT, t -> t.limit(timeout.plus(MARGIN)));
            last = new Limited(timeout, Variants.of(pipelines.repeating().within(limit)));
            limited = last;
        }
        return last.pipelines.get(isRepeatable);
    }

    // ---- coming and going

    /** A call begins; false if the partition has left. */
    boolean enter() {
        int seen = underWay.get();
        while (seen != GONE) {
            if (underWay.compareAndSet(seen, seen + 1)) {
                lastUsed = TimeSource.system().nanoTime();
                return true;
            }
            seen = underWay.get();
        }
        return false;
    }

    void leave() {
        underWay.decrementAndGet();
    }

    boolean isIdle() {
        return underWay.get() == 0;
    }

    /** Makes the partition leave if it is idle; then no call can begin in it. */
    boolean retire() {
        if (!underWay.compareAndSet(0, GONE)) {
            return false;
        }
        listener.remove();
        return true;
    }

    /** Whether something is known of its circuit that would be lost with it. */
    boolean isTroubled() {
        return pipelines.repeating().strategies().stream()
                .anyMatch(strategy -> strategy instanceof CircuitBreaker breaker
                        && breaker.snapshot().state() != CircuitState.CLOSED);
    }

    /** When a call began last. */
    long lastUsed() {
        return lastUsed;
    }
}
