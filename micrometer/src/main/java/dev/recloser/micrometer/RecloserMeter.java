package dev.recloser.micrometer;

import dev.recloser.telemetry.Reading;
import java.util.List;

/** All meters: what they are called, which tags they have, and what they say. The table in docs/metrics.md is made from it. */
enum RecloserMeter {
    PIPELINE_DURATION(
            "recloser.pipeline.duration",
            Kind.TIMER,
            "Calls, with all their attempts and waits",
            TagKey.PIPELINE,
            TagKey.OUTCOME),
    ATTEMPT_DURATION(
            "recloser.attempt.duration",
            Kind.TIMER,
            "Attempts: the work alone, of which a call can have none, one or several",
            TagKey.PIPELINE,
            TagKey.ATTEMPT,
            TagKey.OUTCOME),
    EVENTS(
            "recloser.events",
            Kind.COUNTER,
            "What happened to calls and circuits, but for rejections",
            TagKey.PIPELINE,
            TagKey.STRATEGY,
            TagKey.EVENT),
    REJECTIONS(
            "recloser.rejections",
            Kind.COUNTER,
            "Calls that a strategy rejected before they began",
            TagKey.PIPELINE,
            TagKey.STRATEGY,
            TagKey.REASON),
    CIRCUIT_STATE(
            "recloser.circuit.state",
            Kind.GAUGE,
            "The state of a circuit: 0 closed, 1 half-open, 2 open, 3 isolated",
            TagKey.PIPELINE,
            TagKey.STRATEGY),
    CIRCUIT_RATIO(
            "recloser.circuit.ratio",
            Kind.GAUGE,
            "Failures by calls in the window of a circuit, 0 to 1",
            TagKey.PIPELINE,
            TagKey.STRATEGY),
    LIMITER_IN_FLIGHT(
            "recloser.limiter.inflight",
            Kind.GAUGE,
            "Calls that hold a permit of a limiter",
            TagKey.PIPELINE,
            TagKey.STRATEGY),
    LIMITER_QUEUED(
            "recloser.limiter.queued", Kind.GAUGE, "Calls that wait for a limiter", TagKey.PIPELINE, TagKey.STRATEGY),
    LIMITER_LIMIT(
            "recloser.limiter.limit",
            Kind.GAUGE,
            "How many calls a limiter lets run beside each other",
            TagKey.PIPELINE,
            TagKey.STRATEGY),
    PIPELINE_ABANDONED(
            "recloser.pipeline.abandoned",
            Kind.GAUGE,
            "Attempts that are still running though their caller has been freed",
            TagKey.PIPELINE);

    /** How a meter measures. */
    enum Kind {
        TIMER,
        COUNTER,
        GAUGE
    }

    private final String meterName;
    private final Kind kind;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // it is List.of
    private final List<TagKey> tags;

    RecloserMeter(String meterName, Kind kind, String description, TagKey... tags) {
        this.meterName = meterName;
        this.kind = kind;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The name, such as {@code recloser.events}. */
    String meterName() {
        return meterName;
    }

    Kind kind() {
        return kind;
    }

    String description() {
        return description;
    }

    /** The tags that every meter of this name has, in order. */
    List<TagKey> tags() {
        return tags;
    }

    /** Of several strategies or pipelines that share a gauge, whether it shows the worst one; otherwise it shows their sum. */
    boolean showsTheWorst() {
        return this == CIRCUIT_STATE || this == CIRCUIT_RATIO;
    }

    /** The gauge that shows a quantity. */
    static RecloserMeter of(Reading.Quantity quantity) {
        return switch (quantity) {
            case CIRCUIT_STATE -> CIRCUIT_STATE;
            case CIRCUIT_RATIO -> CIRCUIT_RATIO;
            case LIMITER_IN_FLIGHT -> LIMITER_IN_FLIGHT;
            case LIMITER_QUEUED -> LIMITER_QUEUED;
            case LIMITER_LIMIT -> LIMITER_LIMIT;
        };
    }
}
