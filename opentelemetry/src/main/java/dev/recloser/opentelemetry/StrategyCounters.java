package dev.recloser.opentelemetry;

import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What is counted of one strategy, by what happened: the constants of enums. Thread-safe. */
final class StrategyCounters {

    private final Attributes attributes;
    private final Map<Enum<?>, Counter> events = new ConcurrentHashMap<>();
    private final Map<Enum<?>, Counter> rejections = new ConcurrentHashMap<>();

    private record Counter(LongAdder count, Attributes attributes) {}

    StrategyCounters(String pipeline, String strategy) {
        this.attributes = Attributes.of(Tag.PIPELINE.key(), pipeline, Tag.STRATEGY.key(), strategy);
    }

    void happened(PipelineEvent.Kind what) {
        count(events, what, Tag.EVENT);
    }

    void happened(CircuitEvent what) {
        count(events, what, Tag.EVENT);
    }

    void rejected(RejectionReason reason) {
        count(rejections, reason, Tag.REASON);
    }

    private void count(Map<Enum<?>, Counter> counters, Enum<?> what, Tag tag) {
        Counter counter = counters.get(what);
        if (counter == null) {
            Attributes own =
                    attributes.toBuilder().put(tag.key(), Tag.valueOf(what)).build();
            counter = counters.computeIfAbsent(what, unused -> new Counter(new LongAdder(), own));
        }
        counter.count.increment();
    }

    void observe(ObservableLongMeasurement eventsSeen, ObservableLongMeasurement rejectionsSeen) {
        events.values().forEach(counter -> eventsSeen.record(counter.count.sum(), counter.attributes));
        rejections.values().forEach(counter -> rejectionsSeen.record(counter.count.sum(), counter.attributes));
    }
}
