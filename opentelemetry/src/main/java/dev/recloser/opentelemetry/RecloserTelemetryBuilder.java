package dev.recloser.opentelemetry;

import dev.recloser.spi.SettingsCheck;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Objects;

/** Builds a {@link RecloserTelemetry}. Not thread-safe. */
public final class RecloserTelemetryBuilder {

    private static final int DEFAULT_PIPELINES = 100;
    private static final int MOST_PIPELINES = 100_000;

    final OpenTelemetry openTelemetry;
    int maxPipelines = DEFAULT_PIPELINES;
    boolean hasMetrics = true;
    boolean hasTraces = true;

    RecloserTelemetryBuilder(OpenTelemetry openTelemetry) {
        this.openTelemetry = Objects.requireNonNull(openTelemetry, "openTelemetry");
    }

    /**
     * How many names of pipelines, and of breakers used without one, have meters of their own at one time. What comes beyond is counted together under the
     * name {@code other}, without gauges; what was removed makes room for what is bound afterwards. Under each name, 100 names of strategies that are
     * bound have meters at one time, and 100 of limits that calls bring along; what comes beyond is counted as strategy {@code other}, without gauges.
     *
     * @param most from 1 to 100000; 100 by default, whose histograms stay below the 2000 series at which an SDK begins to put new ones together
     */
    public RecloserTelemetryBuilder maxPipelines(int most) {
        maxPipelines = most;
        return this;
    }

    /** No metrics: for those who have them from elsewhere, such as Micrometer. */
    public RecloserTelemetryBuilder withoutMetrics() {
        hasMetrics = false;
        return this;
    }

    /** No events in spans, and the context of a caller stays on its thread. */
    public RecloserTelemetryBuilder withoutTraces() {
        hasTraces = false;
        return this;
    }

    /**
     * Makes it.
     *
     * @throws dev.recloser.SettingsException when the settings cannot work
     */
    public RecloserTelemetry build() {
        SettingsCheck.throwIfWrong(check -> check.in("telemetry")
                .range("maxPipelines", maxPipelines, 1, MOST_PIPELINES)
                .require(hasMetrics || hasTraces, "metrics and traces", "off", "one of them on"));
        return new RecloserTelemetry(this);
    }
}
