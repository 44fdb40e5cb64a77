package dev.recloser.opentelemetry;

import dev.recloser.telemetry.Reading;
import java.util.List;

/** The meters: their names, tags, units and descriptions, which stand here and nowhere else. */
enum RecloserMeter {
    /** How long calls take. */
    PIPELINE_DURATION(
            "recloser.pipeline.duration",
            Type.HISTOGRAM,
            "s",
            "Calls, with all their attempts and waits",
            Tag.PIPELINE,
            Tag.OUTCOME),
    /** How long attempts take. */
    ATTEMPT_DURATION(
            "recloser.attempt.duration",
            Type.HISTOGRAM,
            "s",
            "Attempts: the work alone, of which a call can have none, one or several",
            Tag.PIPELINE,
            Tag.ATTEMPT,
            Tag.OUTCOME),
    /** What happened to calls and circuits. */
    EVENTS(
            "recloser.events",
            Type.COUNTER,
            "{event}",
            "What happened to calls and circuits, but for rejections",
            Tag.PIPELINE,
            Tag.STRATEGY,
            Tag.EVENT),
    /** Calls that were rejected. */
    REJECTIONS(
            "recloser.rejections",
            Type.COUNTER,
            "{call}",
            "Calls that a strategy rejected before they began",
            Tag.PIPELINE,
            Tag.STRATEGY,
            Tag.REASON),
    /** The state of a circuit. */
    CIRCUIT_STATE(
            "recloser.circuit.state",
            Type.GAUGE,
            "",
            "The state of a circuit: 0 closed, 1 half-open, 2 open, 3 isolated",
            Tag.PIPELINE,
            Tag.STRATEGY),
    /** The failure ratio of a circuit. */
    CIRCUIT_RATIO(
            "recloser.circuit.ratio",
            Type.GAUGE,
            "1",
            "Failures by calls in the window of a circuit, 0 to 1",
            Tag.PIPELINE,
            Tag.STRATEGY),
    /** Permits that are held. */
    LIMITER_IN_FLIGHT(
            "recloser.limiter.inflight",
            Type.GAUGE,
            "{call}",
            "Calls that hold a permit of a limiter",
            Tag.PIPELINE,
            Tag.STRATEGY),
    /** Calls that wait. */
    LIMITER_QUEUED(
            "recloser.limiter.queued",
            Type.GAUGE,
            "{call}",
            "Calls that wait for a limiter",
            Tag.PIPELINE,
            Tag.STRATEGY),
    /** How many calls may run. */
    LIMITER_LIMIT(
            "recloser.limiter.limit",
            Type.GAUGE,
            "{call}",
            "How many calls a limiter lets run beside each other",
            Tag.PIPELINE,
            Tag.STRATEGY),
    /** Attempts that were left behind. */
    PIPELINE_ABANDONED(
            "recloser.pipeline.abandoned",
            Type.GAUGE,
            "{call}",
            "Attempts that are still running though their caller has been freed",
            Tag.PIPELINE);

    /** What kind of instrument it is. */
    enum Type {
        HISTOGRAM,
        COUNTER,
        GAUGE
    }

    private final String id;
    private final Type type;
    private final String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Tag> tags;

    RecloserMeter(String id, Type type, String unit, String description, Tag... tags) {
        this.id = id;
        this.type = type;
        this.unit = unit;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The meter that shows what can be read off strategies. */
    static RecloserMeter of(Reading.Quantity quantity) {
        return switch (quantity) {
            case CIRCUIT_STATE -> CIRCUIT_STATE;
            case CIRCUIT_RATIO -> CIRCUIT_RATIO;
            case LIMITER_IN_FLIGHT -> LIMITER_IN_FLIGHT;
            case LIMITER_QUEUED -> LIMITER_QUEUED;
            case LIMITER_LIMIT -> LIMITER_LIMIT;
        };
    }

    /** Of two values of gauges that have the same tags, the one that is shown: the worse of states and ratios, the sum of counts. */
    double together(double one, double other) {
        return this == CIRCUIT_STATE || this == CIRCUIT_RATIO ? Math.max(one, other) : one + other;
    }

    String id() {
        return id;
    }

    Type type() {
        return type;
    }

    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    List<Tag> tags() {
        return tags;
    }
}
