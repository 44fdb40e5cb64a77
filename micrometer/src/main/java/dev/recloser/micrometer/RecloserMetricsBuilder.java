package dev.recloser.micrometer;

import dev.recloser.spi.SettingsCheck;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.Objects;

/** The settings of {@link RecloserMetrics}. Not thread-safe. */
public final class RecloserMetricsBuilder {

    /** For so many names of pipelines there are tags of their own, if nobody says otherwise. */
    public static final int DEFAULT_MAX_PIPELINES = 1000;

    private final MeterRegistry registry;
    private int maxPipelines = DEFAULT_MAX_PIPELINES;
    private Tags tags = Tags.empty();
    private boolean hasHistograms;

    RecloserMetricsBuilder(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    /**
     * How many different names of pipelines have meters of their own at one time; a name that is not bound any more makes room for another.
     * What comes beyond is measured together under the name {@code other}, without gauges. At least 1; {@value #DEFAULT_MAX_PIPELINES} by default.
     *
     * <p>Under each name, 100 names of strategies that are bound have meters at one time, and 100 of limits that calls bring along; what comes
     * beyond is counted as strategy {@code other}, without gauges.
     */
    public RecloserMetricsBuilder maxPipelines(int most) {
        maxPipelines = most;
        return this;
    }

    /** Tags that all meters get besides their own; none by default. */
    public RecloserMetricsBuilder tags(Iterable<? extends Tag> common) {
        tags = Tags.of(common);
        return this;
    }

    /**
     * The timers of calls and attempts have buckets, from which a backend tells percentiles, over several processes too. Off by default because of
     * what it costs: in Prometheus each timer is about 70 series instead of three, and a pipeline has a timer for each outcome of calls, and for
     * each kind and outcome of attempts, that occurs. A filter of the registry has the last word.
     */
    public RecloserMetricsBuilder histograms() {
        hasHistograms = true;
        return this;
    }

    /**
     * Makes it.
     *
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public RecloserMetrics build() {
        SettingsCheck.throwIfWrong(check -> {
            check.in("metrics").range("maxPipelines", maxPipelines, 1, Integer.MAX_VALUE);
            tags.stream()
                    .map(Tag::getKey)
                    .forEach(key -> check.require(isFree(key), "tags", key, "none of the keys that the meters have"));
        });
        return new RecloserMetrics(new MeterPool(registry, tags, hasHistograms), maxPipelines);
    }

    private static boolean isFree(String key) {
        return Arrays.stream(TagKey.values()).noneMatch(own -> own.key().equals(key));
    }
}
