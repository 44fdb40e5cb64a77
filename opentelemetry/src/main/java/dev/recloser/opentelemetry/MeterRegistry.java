package dev.recloser.opentelemetry;

import dev.recloser.Registration;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.lang.System.Logger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All meters, by the name of the pipeline. Not more than a maximum of names have meters of their own at one time; what comes beyond has those
 * of {@link #OTHER}. Thread-safe.
 */
final class MeterRegistry implements AutoCloseable {

    /** The name under which all is counted that has no meters of its own. */
    static final String OTHER = "other";

    private static final Logger LOG = System.getLogger("dev.recloser.opentelemetry");

    /** Seconds; those that the conventions advise for durations of requests. */
    private static final List<Double> BUCKETS =
            List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

    private final int maxPipelines;
    private final Durations durations;
    private final Map<String, Named> named = new HashMap<>();
    private final Departed<Named> departed;
    private final BatchCallback callback;
    private boolean hasWarned;

    /** Meters and how many have them. */
    private static final class Named {

        private final String name;
        private final PipelineMeters meters;
        private int users;

        Named(String name, PipelineMeters meters) {
            this.name = name;
            this.meters = meters;
        }
    }

    MeterRegistry(Meter meter, int maxPipelines) {
        this.maxPipelines = maxPipelines;
        this.departed = new Departed<>(maxPipelines);
        this.durations = new Durations(
                histogram(meter, RecloserMeter.PIPELINE_DURATION), histogram(meter, RecloserMeter.ATTEMPT_DURATION));
        Observed observed = new Observed(meter);
        this.callback = meter.batchCallback(
                () -> collect().forEach(each -> each.observe(observed)), observed.events(), observed.rest());
    }

    /** Those that somebody who collects is to see; what has gone before is forgotten. */
    private synchronized List<PipelineMeters> collect() {
        departed.forget();
        return named.values().stream().map(each -> each.meters).toList();
    }

    private static DoubleHistogram histogram(Meter meter, RecloserMeter histogram) {
        return meter.histogramBuilder(histogram.id())
                .setUnit(histogram.unit())
                .setDescription(histogram.description())
                .setExplicitBucketBoundariesAdvice(BUCKETS)
                .build();
    }

    /**
     * Gives something the meters of its name.
     *
     * @param bind binds it to them
     * @return removes what is bound, and the meters too when the last one that has them goes
     */
    Registration use(String pipeline, Function<PipelineMeters, Registration> bind) {
        Named own = take(pipeline);
        Registration bound = bind.apply(own.meters);
        return () -> {
            bound.remove();
            giveBack(own);
        };
    }

    /** The meters of a name, or those of {@link #OTHER} if there is no room, with one user more. */
    private synchronized Named take(String pipeline) {
        boolean hasRoom = named.containsKey(pipeline) || ownNames() < maxPipelines;
        if (!hasRoom && !hasWarned) {
            hasWarned = true;
            LOG.log(Logger.Level.WARNING, warning(pipeline));
        }
        Named own = named.computeIfAbsent(hasRoom ? pipeline : OTHER, this::make);
        own.users++;
        return own;
    }

    private String warning(String pipeline) {
        return "more than " + maxPipelines
                + " pipelines are bound at one time: what comes beyond is counted together, as '" + OTHER
                + "', beginning with '" + pipeline + "'";
    }

    private Named make(String name) {
        Named back = departed.take(name);
        return back != null ? back : new Named(name, new PipelineMeters(name, name.equals(OTHER), durations));
    }

    private synchronized void giveBack(Named own) {
        own.users--;
        if (own.users == 0) {
            named.remove(own.name);
            departed.add(own.name, own);
        }
    }

    private int ownNames() {
        return named.size() - (named.containsKey(OTHER) ? 1 : 0);
    }

    @Override
    public void close() {
        callback.close();
    }
}
