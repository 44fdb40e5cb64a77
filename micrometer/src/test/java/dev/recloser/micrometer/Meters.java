package dev.recloser.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The meters of a registry as text and numbers, such as {@code recloser.events{event=retry, pipeline=p, strategy=retry}} and 1. */
final class Meters {

    private Meters() {}

    /** What has been counted by timers and counters. */
    static Map<String, Double> counts(MeterRegistry registry) {
        Map<String, Double> counts = new TreeMap<>();
        registry.forEachMeter(meter -> {
            if (meter instanceof Timer timer) {
                counts.put(text(meter), (double) timer.count());
            } else if (meter instanceof Counter counter) {
                counts.put(text(meter), counter.count());
            }
        });
        return counts;
    }

    /** The same of one meter by its name, without what all have in common: {@code {event=retry, strategy=retry}}. */
    static Map<String, Double> counts(MeterRegistry registry, RecloserMeter of) {
        String name = of.meterName();
        return counts(registry).entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(name + "{"))
                .collect(Collectors.toMap(
                        entry -> entry.getKey()
                                .substring(name.length())
                                .replaceAll("pipeline=p(, |(?=}))", "")
                                .replaceAll(", }", "}"),
                        Map.Entry::getValue,
                        Double::sum,
                        TreeMap::new));
    }

    /** How many seconds a timer has measured in all, by the text of its tags. */
    static Map<String, Double> seconds(MeterRegistry registry, RecloserMeter of) {
        Map<String, Double> seconds = new TreeMap<>();
        registry.find(of.meterName())
                .timers()
                .forEach(timer -> seconds.put(text(timer), timer.totalTime(TimeUnit.SECONDS)));
        return seconds;
    }

    /** What gauges show at this moment. */
    static Map<String, Double> gauges(MeterRegistry registry) {
        Map<String, Double> gauges = new TreeMap<>();
        registry.forEachMeter(meter -> {
            if (meter instanceof Gauge gauge) {
                gauges.put(text(meter), gauge.value());
            }
        });
        return gauges;
    }

    static int size(MeterRegistry registry) {
        return registry.getMeters().size();
    }

    private static String text(Meter meter) {
        return meter.getId().getName()
                + meter.getId().getTags().stream()
                        .map(tag -> tag.getKey() + "=" + tag.getValue())
                        .sorted()
                        .collect(Collectors.joining(", ", "{", "}"));
    }
}
