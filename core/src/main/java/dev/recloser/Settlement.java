package dev.recloser;

import dev.recloser.spi.Reservation;
import dev.recloser.spi.Substitute;
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
    static @Nullable Object settle(Layer layer, Ticket ticket, Execution execution, @Nullable Object result) {
        if (!(result instanceof Failure) && layer.takesEveryValue && !execution.isCut()) {
            // Most calls end here.
            ticket.settle(OutcomeClass.SUCCESS, result, null);
            return result;
        }
        return settleJudged(layer, ticket, execution, result);
    }

    private static @Nullable Object settleJudged(
            Layer layer, Ticket ticket, Execution execution, @Nullable Object result) {
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
        boolean isTimedOutOutside = execution.isTimedOutOutside(layer.index);
        if (isTimedOutOutside) {
            value = null;
            String timeout = execution.plan().nameOf(execution.dueLayer());
            error = new TimedOutException(execution.pipeline(), timeout, TimedOutException.OUTSIDE, error);
        }
        OutcomeClass outcome;
        try {
            // An outcome that was forced from outside says nothing about the dependency, with one exception: a timeout
            // further
            // out, when no timeout further in could have said it sooner.
            boolean isForced = execution.isCancelledByCaller() || (isTimedOutOutside && layer.hasTimeoutInside);
            outcome = isForced ? OutcomeClass.IGNORED : layer.classifier.classify(value, error);
        } catch (Throwable fault) {
            ticket.settle(OutcomeClass.IGNORED, null, fault);
            return Failure.fault(fault);
        }
        ticket.settle(outcome, value, error);
        return result;
    }

    /** What a deadline that is over makes of the result of what stood inside it. */
    static Failure timedOut(Layer layer, Execution execution, long limitNanos, @Nullable Object result) {
        Throwable error = null;
        Failure inside = null;
        if (result instanceof Failure failure) {
            if (failure.kind() == Failure.Kind.FAULT) {
                return failure;
            }
            inside = failure;
            error = isMereCut(failure.error()) ? null : failure.error();
        }
        String name = layer.strategy.name();
        TimedOutException rejection = new TimedOutException(execution.pipeline(), name, limitNanos, error);
        Failure timedOut = inside == null ? Failure.timedOut(rejection) : inside.cutBy(rejection);
        execution.plan().listeners().tell(PipelineEvent.Kind.TIMED_OUT, layer, execution, timedOut);
        return timedOut;
    }

    /** The rejection of a call, as it is passed on. */
    static Failure rejected(Layer layer, Execution execution, RejectedException rejection) {
        Failure failure = Failure.rejected(rejection);
        execution.plan().listeners().tell(PipelineEvent.Kind.REJECTED, layer, execution, failure);
        return failure;
    }

    /** The outcome that an admission puts in the place of the call, as it is passed on. */
    static @Nullable Object substituted(Layer layer, Execution execution, Substitute substitute) {
        Throwable error = substitute.error();
        Object result = error == null ? substitute.value() : Failure.begun(error);
        execution.plan().listeners().tell(PipelineEvent.Kind.SUBSTITUTED, layer, execution, result);
        return result;
    }

    /** Notes that a call waits before it begins. */
    static void delayed(Layer layer, Execution execution, long nanos) {
        execution.plan().listeners().tell(PipelineEvent.Kind.DELAYED, layer, execution, null, nanos);
    }

    /** The result of a call that was cut while it waited for its reservation, which is given back. */
    static Failure cutBefore(Reservation reservation, Throwable error) {
        reservation.unused();
        return reservation.isPartOfCall() ? Failure.begun(error) : Failure.notBegun(error);
    }

    private static boolean isMereCut(Throwable error) {
        return error instanceof InterruptedException || error instanceof CancellationException;
    }
}
