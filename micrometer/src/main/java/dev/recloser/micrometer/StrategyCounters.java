package dev.recloser.micrometer;

import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;

/** The counters of one strategy of a pipeline. */
@SuppressWarnings("EnumOrdinal") // the numbers are kept nowhere
final class StrategyCounters {

    private static final PipelineEvent.Kind[] OF_PIPELINES = PipelineEvent.Kind.values();
    private static final CircuitEvent[] OF_CIRCUITS = CircuitEvent.values();
    private static final RejectionReason[] REASONS = RejectionReason.values();

    private final MeterSet meters;
    private final LazyMeters<Counter> events;
    private final LazyMeters<Counter> rejections;

    /**
     * Nothing counted yet.
     *
     * @param pipeline the meters of the pipeline, of which these are a part
     */
    StrategyCounters(MeterSet pipeline, String strategy) {
        this.meters = pipeline.part();
        Tags tags = Tags.of(TagKey.STRATEGY.key(), strategy);
        events = meters.counters(
                RecloserMeter.EVENTS,
                OF_PIPELINES.length + OF_CIRCUITS.length,
                number -> with(tags, TagKey.EVENT, event(number)));
        rejections = meters.counters(
                RecloserMeter.REJECTIONS, REASONS.length, number -> with(tags, TagKey.REASON, REASONS[number]));
    }

    private static Tags with(Tags tags, TagKey key, Enum<?> value) {
        return tags.and(key.key(), TagKey.value(value));
    }

    /** Those of circuits follow those of pipelines. */
    private static Enum<?> event(int number) {
        return number < OF_PIPELINES.length ? OF_PIPELINES[number] : OF_CIRCUITS[number - OF_PIPELINES.length];
    }

    void happened(PipelineEvent.Kind event) {
        increment(RecloserMeter.EVENTS, events.get(event.ordinal()));
    }

    void happened(CircuitEvent event) {
        increment(RecloserMeter.EVENTS, events.get(OF_PIPELINES.length + event.ordinal()));
    }

    void rejected(RejectionReason reason) {
        increment(RecloserMeter.REJECTIONS, rejections.get(reason.ordinal()));
    }

    /** Removes them. Called under the pool's lock. */
    void close() {
        meters.close();
    }

    private void increment(RecloserMeter meter, Counter counter) {
        try {
            counter.increment();
        } catch (RuntimeException failure) {
            meters.failed(meter, failure);
        }
    }
}
