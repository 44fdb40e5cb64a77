package dev.recloser.micrometer;

import dev.recloser.CallListener;
import dev.recloser.CallOutcome;
import dev.recloser.CallWatch;
import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.AttemptKind;
import dev.recloser.telemetry.RejectionReason;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures the calls through all pipelines of one name. One object watches them all: what a call costs more is two timers, found by number,
 * and no object.
 */
@SuppressWarnings("EnumOrdinal") // the numbers are kept nowhere
final class PipelineMeters implements CallListener, CallWatch {

    /** So many strategies of a pipeline are told apart: a limit that a single call brings along is one, and might be named by the call. */
    private static final int MAX_STRATEGIES = 100;

    private static final CallOutcome[] OUTCOMES = CallOutcome.values();
    private static final AttemptKind[] ATTEMPTS = AttemptKind.values();

    private final boolean tellsStrategiesApart;
    private final MeterSet meters;
    private final LazyMeters<Timer> calls;
    private final LazyMeters<Timer> attempts;
    private final Map<String, StrategyCounters> strategies = new ConcurrentHashMap<>();

    private PipelineMeters(MeterSet meters, boolean tellsStrategiesApart) {
        this.meters = meters;
        this.tellsStrategiesApart = tellsStrategiesApart;
        calls = meters.timers(RecloserMeter.PIPELINE_DURATION, OUTCOMES.length, PipelineMeters::outcome);
        attempts = meters.timers(
                RecloserMeter.ATTEMPT_DURATION, ATTEMPTS.length * OUTCOMES.length, PipelineMeters::attemptAndOutcome);
    }

    /** Those of the pipelines that have this name. */
    static PipelineMeters named(MeterSet meters) {
        return new PipelineMeters(meters, true);
    }

    /** Those of pipelines of many names, which are measured together. */
    static PipelineMeters ofManyNames(MeterSet meters) {
        return new PipelineMeters(meters, false);
    }

    private static Tags outcome(int number) {
        return Tags.of(TagKey.OUTCOME.key(), TagKey.value(OUTCOMES[number]));
    }

    private static Tags attemptAndOutcome(int number) {
        String attempt = TagKey.value(ATTEMPTS[number / OUTCOMES.length]);
        return outcome(number % OUTCOMES.length).and(TagKey.ATTEMPT.key(), attempt);
    }

    // ---- told by the pipeline

    @Override
    public CallWatch begun(String pipeline) {
        return this;
    }

    @Override
    public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
        int number = AttemptKind.of(attempt, hedge).ordinal() * OUTCOMES.length + outcome.ordinal();
        record(RecloserMeter.ATTEMPT_DURATION, attempts.get(number), nanos);
    }

    @Override
    public void ended(CallOutcome outcome, long nanos) {
        record(RecloserMeter.PIPELINE_DURATION, calls.get(outcome.ordinal()), nanos);
    }

    private void record(RecloserMeter meter, Timer timer, long nanos) {
        try {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        } catch (RuntimeException failure) {
            meters.failed(meter, failure);
        }
    }

    @Override
    public void happened(PipelineEvent event) {
        StrategyCounters counters = strategy(event.strategy());
        if (event.kind() == PipelineEvent.Kind.REJECTED) {
            counters.rejected(reason(event.error()));
        } else {
            counters.happened(event.kind());
        }
    }

    private static RejectionReason reason(@Nullable Throwable rejection) {
        return rejection == null ? RejectionReason.OTHER : RejectionReason.of(rejection);
    }

    /** The counters of a strategy. */
    StrategyCounters strategy(String name) {
        StrategyCounters known = strategies.get(name);
        if (known != null) {
            return known;
        }
        boolean hasOwn = tellsStrategiesApart && strategies.size() < MAX_STRATEGIES;
        return strategies.computeIfAbsent(
                hasOwn ? name : TagKey.OTHER, strategy -> new StrategyCounters(meters, strategy));
    }
}
