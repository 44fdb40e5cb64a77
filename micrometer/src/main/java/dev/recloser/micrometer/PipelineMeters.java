package dev.recloser.micrometer;

import dev.recloser.CallOutcome;
import dev.recloser.PipelineEvent;
import dev.recloser.telemetry.AttemptKind;
import dev.recloser.telemetry.RejectionReason;
import dev.recloser.telemetry.StrategyPlaces;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Measures the calls through all pipelines of one name: what a call costs more is two timers, found by number, and no object. */
@SuppressWarnings("EnumOrdinal") // the numbers are kept nowhere
final class PipelineMeters {

    private static final CallOutcome[] OUTCOMES = CallOutcome.values();
    private static final AttemptKind[] ATTEMPTS = AttemptKind.values();

    private final MeterSet meters;
    private final LazyMeters<Timer> calls;
    private final LazyMeters<Timer> attempts;
    private final StrategyPlaces<StrategyCounters> strategies;

    /**
     * Nothing measured yet.
     *
     * @param strategies where what happens is counted
     */
    PipelineMeters(MeterSet meters, StrategyPlaces<StrategyCounters> strategies) {
        this.meters = meters;
        this.strategies = strategies;
        calls = meters.timers(RecloserMeter.PIPELINE_DURATION, OUTCOMES.length, PipelineMeters::outcome);
        attempts = meters.timers(
                RecloserMeter.ATTEMPT_DURATION, ATTEMPTS.length * OUTCOMES.length, PipelineMeters::attemptAndOutcome);
    }

    private static Tags outcome(int number) {
        return Tags.of(TagKey.OUTCOME.key(), TagKey.value(OUTCOMES[number]));
    }

    private static Tags attemptAndOutcome(int number) {
        String attempt = TagKey.value(ATTEMPTS[number / OUTCOMES.length]);
        return outcome(number % OUTCOMES.length).and(TagKey.ATTEMPT.key(), attempt);
    }

    void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
        int number = AttemptKind.of(attempt, hedge).ordinal() * OUTCOMES.length + outcome.ordinal();
        record(RecloserMeter.ATTEMPT_DURATION, attempts.get(number), nanos);
    }

    void ended(CallOutcome outcome, long nanos) {
        record(RecloserMeter.PIPELINE_DURATION, calls.get(outcome.ordinal()), nanos);
    }

    private void record(RecloserMeter meter, Timer timer, long nanos) {
        try {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        } catch (RuntimeException failure) {
            meters.failed(meter, failure);
        }
    }

    /** Something happened to one of the calls. */
    void happened(PipelineCalls calls, PipelineEvent event) {
        StrategyCounters known = strategies.find(event.strategy());
        StrategyCounters counters = known != null ? known : strategies.bring(event.strategy(), calls::areBound);
        if (counters == null) {
            return;
        }
        if (event.kind() == PipelineEvent.Kind.REJECTED) {
            counters.rejected(reason(event.error()));
        } else {
            counters.happened(event.kind());
        }
    }

    private static RejectionReason reason(@Nullable Throwable rejection) {
        return rejection == null ? RejectionReason.OTHER : RejectionReason.of(rejection);
    }
}
