package dev.recloser;

import dev.recloser.spi.Ticket;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** What both drivers do with a result on its way out: sort it into its class, and end tickets. */
final class Settlement {

    private Settlement() {}

    /**
     * Ends a ticket with the result of what stood inside.
     *
     * @return the result to pass on: the same, or the exception of a classifier that threw
     */
    static @Nullable Object settle(
            Layer layer, int index, Ticket ticket, Execution execution, @Nullable Object result) {
        Object value = result;
        Throwable error = null;
        if (result instanceof Failure failure) {
            if (failure.kind() == Failure.Kind.NOT_BEGUN) {
                ticket.unused();
                return result;
            }
            if (failure.kind() == Failure.Kind.FAULT) {
                ticket.settle(OutcomeClass.IGNORED, null, failure.error());
                return result;
            }
            value = null;
            error = failure.error();
        }
        if (execution.isTimedOutOutside(index)) {
            value = null;
            error = new TimedOutException(execution.pipeline(), "timeout", TimedOutException.OUTSIDE, error);
        }
        OutcomeClass outcome;
        try {
            outcome = classify(layer, index, execution, value, error);
        } catch (Throwable fault) {
            ticket.settle(OutcomeClass.IGNORED, null, fault);
            return Failure.fault(fault);
        }
        ticket.settle(outcome, value, error);
        return result;
    }

    /**
     * The class of an outcome for the strategy of a layer. An outcome that was forced from outside says nothing about the
     * dependency, with one exception: a timeout further out, when no timeout further in could have said it sooner.
     */
    private static OutcomeClass classify(
            Layer layer, int index, Execution execution, @Nullable Object value, @Nullable Throwable error) {
        boolean forced =
                execution.isCancelledByCaller() || (layer.hasTimeoutInside && execution.isTimedOutOutside(index));
        return forced ? OutcomeClass.IGNORED : layer.classifier.classify(value, error);
    }

    /** What a deadline that is over makes of the result of what stood inside it. */
    static Failure timedOut(Layer layer, Execution execution, long limitNanos, @Nullable Object result) {
        Throwable error = null;
        Failure.Kind kind = Failure.Kind.BEGUN;
        if (result instanceof Failure failure) {
            if (failure.kind() == Failure.Kind.FAULT) {
                return failure;
            }
            kind = failure.kind();
            error = isMereCut(failure.error()) ? null : failure.error();
        }
        String name = layer.strategy.name();
        return new Failure(new TimedOutException(execution.pipeline(), name, limitNanos, error), kind);
    }

    private static boolean isMereCut(Throwable error) {
        return error instanceof InterruptedException || error instanceof CancellationException;
    }
}
