package dev.recloser.micrometer;

import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;

/**
 * The gauges with one name of a pipeline. What has the same tags shares a gauge, which shows the sum or, of circuits, the worst. Guarded by
 * the pool; what reads the gauges takes no lock.
 */
final class Gauges {

    private final MeterSet meters;
    private final Map<Key, Shared> shared = new HashMap<>();

    Gauges(MeterSet meters) {
        this.meters = meters;
    }

    private record Key(RecloserMeter meter, Tags tags) {}

    /** Adds what a gauge shows. */
    void add(RecloserMeter meter, Tags tags, DoubleSupplier value) {
        Shared gauge = shared.computeIfAbsent(new Key(meter, tags), key -> {
            Shared made = new Shared(meter.showsTheWorst());
            made.remove = meters.gauge(meter, tags, made);
            return made;
        });
        gauge.values.add(value);
    }

    /** Takes it away again, and with the last one the gauge. */
    void remove(RecloserMeter meter, Tags tags, DoubleSupplier value) {
        Key key = new Key(meter, tags);
        Shared gauge = shared.get(key);
        if (gauge != null && gauge.values.remove(value) && gauge.values.isEmpty()) {
            shared.remove(key);
            gauge.remove.run();
        }
    }

    /** What one gauge shows. */
    private static final class Shared implements DoubleSupplier {

        private final boolean showsTheWorst;
        private final List<DoubleSupplier> values = new CopyOnWriteArrayList<>();
        private Runnable remove = () -> {};

        Shared(boolean showsTheWorst) {
            this.showsTheWorst = showsTheWorst;
        }

        @Override
        public double getAsDouble() {
            double all = 0;
            for (DoubleSupplier each : values) {
                double value = each.getAsDouble();
                all = showsTheWorst ? Math.max(all, value) : all + value;
            }
            return all;
        }
    }
}
