package dev.recloser.opentelemetry;

import io.opentelemetry.api.metrics.LongCounterBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The instruments that are read whenever somebody collects: so what is no longer shown is gone, which an SDK cannot do with others. */
final class Observed {

    private final ObservableLongMeasurement events;
    private final ObservableLongMeasurement rejections;
    private final Map<RecloserMeter, ObservableDoubleMeasurement> gauges = new EnumMap<>(RecloserMeter.class);

    Observed(Meter meter) {
        events = counter(meter, RecloserMeter.EVENTS).buildObserver();
        rejections = counter(meter, RecloserMeter.REJECTIONS).buildObserver();
        for (RecloserMeter each : RecloserMeter.values()) {
            if (each.type() == RecloserMeter.Type.GAUGE) {
                gauges.put(
                        each,
                        meter.gaugeBuilder(each.id())
                                .setUnit(each.unit())
                                .setDescription(each.description())
                                .buildObserver());
            }
        }
    }

    private static LongCounterBuilder counter(Meter meter, RecloserMeter counter) {
        return meter.counterBuilder(counter.id()).setUnit(counter.unit()).setDescription(counter.description());
    }

    ObservableLongMeasurement events() {
        return events;
    }

    ObservableLongMeasurement rejections() {
        return rejections;
    }

    ObservableDoubleMeasurement gauge(RecloserMeter meter) {
        return Objects.requireNonNull(gauges.get(meter), meter::id);
    }

    /** All of them but {@link #events}. */
    ObservableMeasurement[] rest() {
        List<ObservableMeasurement> all = new ArrayList<>(gauges.values());
        all.add(rejections);
        return all.toArray(ObservableMeasurement[]::new);
    }
}
