package dev.recloser;

import dev.recloser.spi.Continuation;
import dev.recloser.spi.Continuation.Again;
import dev.recloser.spi.Continuation.Course;
import dev.recloser.spi.Continuation.Done;
import dev.recloser.spi.Continuation.Replace;
import dev.recloser.spi.Continuation.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What both drivers do with a {@link Continuation}: ask it after each failure, and say what is to be done. */
final class Repetition {

    /** For {@link #next}: the call has ended in {@link #result}. */
    static final long ENDED = -1;

    private final Layer layer;
    private final Execution execution;
    private final Continuation continuation;
    private @Nullable Course course;
    private boolean isRepeated;
    private @Nullable Object result;

    /** What attempts failed with that others followed. */
    private List<Throwable> failures = List.of();

    Repetition(Continuation continuation, Layer layer, Execution execution) {
        this.continuation = continuation;
        this.layer = layer;
        this.execution = execution;
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
        result = isRepeated && outcome instanceof Failure failure ? failure.after(failures) : outcome;
        try {
            return decide();
        } catch (Throwable fault) {
            result = Failure.fault(fault);
            return ENDED;
        }
    }

    /** The result of a call that was cut while it waited for its next attempt. What the last one ended in is told to listeners. */
    Failure cut(Throwable error) {
        tell(PipelineEvent.Kind.RETRY_INTERRUPTED, 0);
        return Failure.begun(error).after(failures);
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
        if (execution.isTimedOutOutside(layer.index)
                || execution.isCancelledByCaller()
                || layer.classifier.classify(value, error) != OutcomeClass.FAILURE) {
            return ENDED;
        }
        if (course == null) {
            course = continuation.begin(execution);
        }
        return obey(course.after(value, error, execution));
    }

    private long obey(Step step) {
        if (step instanceof Again again) {
            return repeat(again.delayNanos());
        }
        if (step instanceof Replace replace) {
            tell(PipelineEvent.Kind.FALLBACK, 0);
            Throwable error = replace.error();
            result = error == null ? replace.value() : Failure.begun(error);
        } else if (step instanceof Done done && done.why() != null) {
            tell(done.why(), done.delayNanos());
        }
        return ENDED;
    }

    private long repeat(long delayNanos) {
        if (!execution.isRepeatable()) {
            return ENDED;
        }
        if (delayNanos >= execution.remainingNanos()) {
            tell(PipelineEvent.Kind.RETRY_TOO_LATE, delayNanos);
            return ENDED;
        }
        tell(PipelineEvent.Kind.RETRY, delayNanos);
        if (result instanceof Failure failure) {
            remember(failure.error());
        }
        return delayNanos;
    }

    /** The wait is over, and the next attempt begins. Attempts are counted over all that repeat them. */
    void beginNext() {
        isRepeated = true;
        execution.attempt(execution.attempt() + 1);
    }

    private void remember(Throwable failure) {
        if (failures.isEmpty()) {
            failures = new ArrayList<>(2);
        } else if (failures.size() == RejectedException.REMEMBERED) {
            failures.remove(0);
        }
        failures.add(failure);
    }

    private void tell(PipelineEvent.Kind kind, long delayNanos) {
        execution.plan().listeners().tell(kind, layer, execution, result, delayNanos);
    }
}
