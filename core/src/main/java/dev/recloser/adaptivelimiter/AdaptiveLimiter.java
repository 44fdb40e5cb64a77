package dev.recloser.adaptivelimiter;

import dev.recloser.CallContext;
import dev.recloser.Classifier;
import dev.recloser.LimitReachedException;
import dev.recloser.OutcomeClass;
import dev.recloser.RejectedException;
import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.SettingsText;
import dev.recloser.spi.Ticket;
import dev.recloser.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency limiter that finds its limit by itself: it lets more calls run at the same time as long as they come back within a
 * latency goal, and fewer when they do not. A call beyond the limit is rejected with a {@link LimitReachedException}.
 *
 * <p>A dependency that gets more calls than it can serve keeps them waiting, in the end for longer than its callers wait, and then
 * all its work is for nothing. What waits there shows as latency. The limiter keeps so much in flight that the dependency is busy,
 * and the queue before it short.
 *
 * <p>The rule is additive increase and multiplicative decrease, once per window of calls. A call counts as within the goal if it is a
 * success and took no longer than the goal. What took longer counts against the limit whatever it ended in, also before it has ended. A
 * failure counts against it however fast it came; see {@link AdaptiveLimiterBuilder} for what is one. An ignored outcome that came within
 * the goal is not counted.
 *
 * <p>It has no queue, which would hide the latency that it goes by. In a pipeline it should stand inside the retries, whose waits it
 * would take for latency, and outside the timeout of the attempt.
 *
 * <p>Thread-safe. A call takes a small lock when it begins and when it ends, and makes one object.
 */
public final class AdaptiveLimiter implements Admission {

    private final String name;
    private final TimeSource time;
    private final double percentile;
    private final Classifier<Object> classifier;
    private final Map<String, String> settings;

    /** Guards all that follows. */
    private final Object lock = new Object();

    private final LimitSearch search;
    private final LatencyWindow window;
    private int inFlight;
    private long rejected;
    private int lastSamples;
    private double lastWithinGoal = 1;
    private long lastNanos;

    @SuppressWarnings(
            "unchecked") // it is shown nothing but outcomes of calls that return what the builder was made for
    AdaptiveLimiter(String name, AdaptiveLimiterBuilder<?> builder, TimeSource time) {
        this.name = name;
        this.time = time;
        this.percentile = builder.percentile;
        this.classifier = (Classifier<Object>) builder.classifier();
        this.search = new LimitSearch(builder);
        this.window = new LatencyWindow(builder, time.nanoTime());
        this.settings = builder.describe();
    }

    /**
     * A limiter, as {@code AdaptiveLimiter.of("orders", limiter -> limiter.latencyGoal(Duration.ofMillis(200)))}.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings sets the latency goal, and changes what is not to have its default
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public static <R extends @Nullable Object> AdaptiveLimiter of(
            String name, Consumer<AdaptiveLimiterBuilder<R>> settings) {
        return of(name, settings, TimeSource.system());
    }

    /**
     * A limiter with the given time, for tests.
     *
     * @param name what it is called in rejections, events and metrics
     * @param settings sets the latency goal, and changes what is not to have its default
     * @param time the time, such as a {@linkplain dev.recloser.time.VirtualTime virtual one}
     * @param <R> what the calls return whose results are judged
     * @throws dev.recloser.SettingsException when the settings cannot work; it names all that is wrong
     */
    public static <R extends @Nullable Object> AdaptiveLimiter of(
            String name, Consumer<AdaptiveLimiterBuilder<R>> settings, TimeSource time) {
        AdaptiveLimiterBuilder<R> builder = new AdaptiveLimiterBuilder<>();
        settings.accept(builder);
        return builder.build(name, time);
    }

    /** A call that is measured. It guards itself: only its first end counts. */
    private final class Measured implements Ticket {

        private long start;
        private long callsWindow;
        private boolean standsBy;
        private boolean ended;

        Measured(long start, long callsWindow) {
            this.start = start;
            this.callsWindow = callsWindow;
        }

        @Override
        public void settle(OutcomeClass outcome, @Nullable Object value, @Nullable Throwable error) {
            long now = time.nanoTime();
            synchronized (lock) {
                if (end()) {
                    switch (outcome) {
                        case SUCCESS -> window.succeeded(callsWindow, now - start);
                        case IGNORED -> window.ignored(callsWindow, now - start);
                        case FAILURE -> {
                            // It stays a sample, and never comes within the goal.
                        }
                    }
                }
            }
        }

        @Override
        public void unused() {
            synchronized (lock) {
                if (end()) {
                    window.unused(callsWindow);
                }
            }
        }

        @Override
        public void standBy() {
            synchronized (lock) {
                if (!ended && !standsBy) {
                    standsBy = true;
                    window.unused(callsWindow);
                    callsWindow = LatencyWindow.NONE;
                }
            }
        }

        @Override
        public void begin() {
            long now = time.nanoTime();
            synchronized (lock) {
                if (!ended && standsBy) {
                    standsBy = false;
                    start = now;
                    moveOn(now);
                    callsWindow = window.begin(inFlight);
                }
            }
        }

        private boolean end() {
            boolean first = !ended;
            ended = true;
            if (first) {
                inFlight--;
            }
            return first;
        }
    }

    @Override
    public Admittance acquire(CallContext context) {
        long now = time.nanoTime();
        synchronized (lock) {
            moveOn(now);
            if (inFlight < search.limit()) {
                inFlight++;
                return new Measured(now, window.begin(inFlight));
            }
            rejected++;
        }
        return new LimitReachedException(context.pipeline(), name, RejectedException.UNKNOWN, null);
    }

    /** Closes the window when it is time, and judges it when all of its calls are known. */
    private void moveOn(long now) {
        window.close(now);
        if (window.isComplete(now)) {
            if (window.hasEnoughSamples()) {
                lastSamples = window.samples();
                lastWithinGoal = window.shareWithinGoal();
                lastNanos = window.meanNanos();
                search.judge(lastWithinGoal >= percentile, window.mostInFlight());
            }
            window.restart(now);
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** Which outcomes say that the dependency has too much to do, and which are not counted. */
    @Override
    public Classifier<Object> classifier() {
        return classifier;
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    /** What there is to see of this limiter. */
    public AdaptiveLimiterSnapshot snapshot() {
        synchronized (lock) {
            return new AdaptiveLimiterSnapshot(
                    name, search.limit(), inFlight, lastSamples, lastWithinGoal, Duration.ofNanos(lastNanos), rejected);
        }
    }

    @Override
    public String toString() {
        return SettingsText.of("adaptiveLimiter", this);
    }
}
