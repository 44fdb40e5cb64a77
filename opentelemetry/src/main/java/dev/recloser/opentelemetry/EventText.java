package dev.recloser.opentelemetry;

import dev.recloser.PipelineEvent;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.telemetry.CircuitEvent;
import dev.recloser.telemetry.RejectionReason;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How what happens is told to spans: names of events, and attributes. Messages of exceptions are not among them. */
final class EventText {

    static final AttributeKey<String> PIPELINE = AttributeKey.stringKey("recloser.pipeline");
    static final AttributeKey<String> STRATEGY = AttributeKey.stringKey("recloser.strategy");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("recloser.attempt");
    static final AttributeKey<Long> HEDGE = AttributeKey.longKey("recloser.hedge");
    static final AttributeKey<Double> DELAY = AttributeKey.doubleKey("recloser.delay");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("recloser.reason");
    static final AttributeKey<Long> CALLS = AttributeKey.longKey("recloser.circuit.calls");
    static final AttributeKey<Long> FAILURES = AttributeKey.longKey("recloser.circuit.failures");
    static final AttributeKey<Long> TIMED_CALLS = AttributeKey.longKey("recloser.circuit.timed_calls");
    static final AttributeKey<Long> SLOW_CALLS = AttributeKey.longKey("recloser.circuit.slow_calls");
    static final AttributeKey<Double> BREAK = AttributeKey.doubleKey("recloser.circuit.break");

    /** Of the conventions of OpenTelemetry. */
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    /** The name of the event of a rejection. */
    static final String REJECTED = "recloser.rejected";

    private static final double NANOS_PER_SECOND = 1e9;

    private static final Map<PipelineEvent.Kind, String> NAMES = new EnumMap<>(PipelineEvent.Kind.class);

    static {
        for (PipelineEvent.Kind kind : PipelineEvent.Kind.values()) {
            NAMES.put(kind, "recloser." + Tag.valueOf(kind));
        }
    }

    private EventText() {}

    static String name(PipelineEvent event) {
        return NAMES.getOrDefault(event.kind(), "recloser");
    }

    static Attributes attributes(PipelineEvent event) {
        AttributesBuilder attributes = of(event.pipeline(), event.strategy()).put(ATTEMPT, (long) event.attempt());
        if (event.hedge() > 0) {
            attributes.put(HEDGE, (long) event.hedge());
        }
        if (!event.delay().isZero()) {
            attributes.put(DELAY, seconds(event.delay()));
        }
        Throwable error = event.error();
        if (error != null) {
            attributes.put(ERROR_TYPE, type(error));
            if (event.kind() == PipelineEvent.Kind.REJECTED) {
                attributes.put(REASON, RejectionReason.of(error).tag());
            }
        }
        return attributes.build();
    }

    static String name(CircuitTransition transition) {
        return "recloser.circuit." + Tag.valueOf(CircuitEvent.into(transition.to()));
    }

    /** What a transition is told with. The pipeline is null if the breaker is used without one. */
    static Attributes attributes(@Nullable String pipeline, CircuitTransition transition) {
        AttributesBuilder attributes = of(pipeline, transition.circuit())
                .put(REASON, Tag.valueOf(transition.reason()))
                .put(CALLS, transition.calls())
                .put(FAILURES, transition.failures());
        if (transition.timedCalls() > 0) {
            attributes.put(TIMED_CALLS, transition.timedCalls()).put(SLOW_CALLS, transition.slowCalls());
        }
        if (!transition.breakDuration().isZero()) {
            attributes.put(BREAK, seconds(transition.breakDuration()));
        }
        transition.cause().ifPresent(cause -> attributes.put(ERROR_TYPE, type(cause)));
        return attributes.build();
    }

    /** A rejection by a breaker that is used without a pipeline. */
    static Attributes rejected(String circuit, RejectionReason reason) {
        return of(null, circuit).put(REASON, reason.tag()).build();
    }

    private static AttributesBuilder of(@Nullable String pipeline, String strategy) {
        AttributesBuilder attributes = Attributes.builder();
        if (pipeline != null) {
            attributes.put(PIPELINE, pipeline);
        }
        return attributes.put(STRATEGY, strategy);
    }

    /** The class, as the conventions have it. */
    static String type(Throwable error) {
        String name = error.getClass().getCanonicalName();
        return name == null ? error.getClass().getName() : name;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}
