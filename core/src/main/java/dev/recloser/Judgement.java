package dev.recloser;

import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Says to those who watch calls how one has ended: in a failure if any of the pipeline's strategies that tell failures from successes sees
 * one, by the defaults if there are none.
 */
final class Judgement {

    private final List<Classifier<Object>> classifiers;
    private final boolean takesEveryValue;

    Judgement(List<Layer> layers) {
        List<Classifier<Object>> judging = layers.stream()
                .filter(layer -> layer.strategy.tellsFailures())
                .map(layer -> layer.classifier)
                .distinct()
                .toList();
        this.classifiers = judging.isEmpty() ? List.of(Classifier.defaults()) : judging;
        this.takesEveryValue = classifiers.stream().allMatch(Classifier::acceptsEveryValue);
    }

    /** How the work of an attempt ended. */
    CallOutcome ofAttempt(Execution execution, @Nullable Object result) {
        if (execution.isTimedOut()) {
            return CallOutcome.TIMED_OUT;
        }
        return execution.isCancelledByCaller() ? CallOutcome.CANCELLED : ofCall(result);
    }

    /** How a call ended, as its caller sees it. */
    CallOutcome ofCall(@Nullable Object result) {
        if (result instanceof Failure failure) {
            return ofError(failure.error());
        }
        return takesEveryValue ? CallOutcome.SUCCESS : classified(result, null);
    }

    private CallOutcome ofError(Throwable error) {
        if (error instanceof TimedOutException) {
            return CallOutcome.TIMED_OUT;
        } else if (error instanceof RejectedException) {
            return CallOutcome.REJECTED;
        } else if (error instanceof InterruptedException
                || error instanceof CancellationException
                || error instanceof ClosedByInterruptException) {
            return CallOutcome.CANCELLED;
        }
        return classified(null, error);
    }

    private CallOutcome classified(@Nullable Object value, @Nullable Throwable error) {
        try {
            for (Classifier<Object> classifier : classifiers) {
                if (classifier.classify(value, error) == OutcomeClass.FAILURE) {
                    return CallOutcome.FAILURE;
                }
            }
        } catch (Throwable fault) {
            // A bug of whoever wrote the classifier, which the caller has been shown.
            return CallOutcome.FAILURE;
        }
        return error == null ? CallOutcome.SUCCESS : CallOutcome.IGNORED;
    }
}
