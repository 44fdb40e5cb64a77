package dev.recloser;

import dev.recloser.spi.Continuation;
import dev.recloser.spi.Continuation.Again;
import dev.recloser.spi.Continuation.Course;
import dev.recloser.spi.Continuation.Replace;
import dev.recloser.spi.Continuation.Step;
import org.jspecify.annotations.Nullable;

/** What both drivers do with a {@link Continuation}: ask it after each failure, and say what is to be done. */
final class Repetition {

    /** For {@link #next}: the call has ended in {@link #result}. */
    static final long ENDED = -1;

    private final Layer layer;
    private final int index;
    private final Execution execution;
    private final Continuation continuation;
    private @Nullable Course course;
    private int attempt = 1;
    private @Nullable Object result;

    Repetition(Continuation continuation, Layer layer, int index, Execution execution) {
        this.layer = layer;
        this.index = index;
        this.execution = execution;
        this.continuation = continuation;
    }

    /** In what the call has ended. */
    @Nullable
    Object result() {
        return result;
    }

    /**
     * Looks at the outcome of an attempt.
     *
     * @return nanoseconds until the next attempt is to begin, or {@link #ENDED}
     */
    long next(@Nullable Object outcome) {
        result = attempt > 1 && outcome instanceof Failure failure ? failure.afterOthers() : outcome;
        try {
            return decide();
        } catch (Throwable fault) {
            result = Failure.fault(fault);
            return ENDED;
        }
    }

    private long decide() {
        Object value = result;
        Throwable error = null;
        if (result instanceof Failure failure) {
            if (failure.kind() == Failure.Kind.FAULT) {
                return ENDED;
            }
            value = null;
            error = failure.error();
        }
        if (execution.isTimedOutOutside(index)
                || execution.isCancelledByCaller()
                || layer.classifier.classify(value, error) != OutcomeClass.FAILURE) {
            return ENDED;
        }
        execution.attempt(attempt);
        if (course == null) {
            course = continuation.begin(execution);
        }
        return obey(course.after(value, error, execution));
    }

    private long obey(Step step) {
        if (step instanceof Again again && again.delayNanos() < execution.remainingNanos()) {
            attempt++;
            execution.attempt(attempt);
            return again.delayNanos();
        }
        if (step instanceof Replace replace) {
            Throwable error = replace.error();
            result = error == null ? replace.value() : Failure.begun(error);
        }
        return ENDED;
    }
}
