package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Place;
import dev.recloser.spi.Race;
import dev.recloser.spi.Reservation;
import dev.recloser.spi.Substitute;
import dev.recloser.spi.Ticket;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on the thread of the caller: each layer is a method call inside that of the layer around it. Results are values, or
 * {@link Failure}s, all the way; nothing is thrown before the caller is reached.
 *
 * <p>The layers of a pipeline become a chain of these, one class for each kind of strategy, so that the JVM sees at each place what
 * follows there and can compile the chain as one.
 */
abstract class BlockingDriver {

    private BlockingDriver() {}

    /** Runs the layer and what stands inside it. */
    abstract @Nullable Object run(Execution execution, ContextualCall<?, ?> work);

    /** Before a wait: the interrupt that would end it may have been swallowed by somebody's code. */
    private static void requireNotCut(Execution execution) throws InterruptedException {
        if (execution.isCut()) {
            throw new InterruptedException();
        }
    }

    /** The driver of the layers from this one on, around the work. */
    static BlockingDriver of(@Nullable Layer layer, Work work) {
        if (layer == null) {
            return work;
        }
        BlockingDriver inside = of(layer.next, work);
        if (layer.admission != null) {
            return new Admitting(layer.admission, layer, inside);
        }
        if (layer.deadline != null) {
            return new Limiting(layer.deadline, layer, inside);
        }
        if (layer.continuation != null) {
            return new Repeating(layer.continuation, layer, inside);
        }
        if (layer.race != null) {
            return new Racing(layer.race, layer, inside);
        }
        throw new AssertionError(layer.strategy);
    }

    /** The innermost: an attempt. */
    static class Work extends BlockingDriver {

        @Override
        @Nullable
        Object run(Execution execution, ContextualCall<?, ?> work) {
            execution.timePasses();
            if (execution.isCut()) {
                return Failure.notBegun(new InterruptedException());
            }
            if (!execution.isAlone()) {
                execution.worksNow();
            }
            try {
                return work.call(execution);
            } catch (Throwable error) {
                return Failure.begun(error);
            } finally {
                execution.attemptEnded();
            }
        }
    }

    /** A layer around others. */
    private abstract static class Around extends BlockingDriver {

        final Layer layer;
        final BlockingDriver inside;

        Around(Layer layer, BlockingDriver inside) {
            this.layer = layer;
            this.inside = inside;
        }
    }

    private static final class Admitting extends Around {

        private final Admission admission;

        Admitting(Admission admission, Layer layer, BlockingDriver inside) {
            super(layer, inside);
            this.admission = admission;
        }

        @Override
        @Nullable
        Object run(Execution execution, ContextualCall<?, ?> work) {
            Admittance answer = admission.acquire(execution);
            if (answer instanceof RejectedException rejection) {
                return Settlement.rejected(layer, execution, rejection);
            }
            if (answer instanceof Place || answer instanceof Reservation || answer instanceof Substitute) {
                return runLater(answer, execution, work);
            }
            return runWith((Ticket) answer, execution, work);
        }

        private @Nullable Object runWith(Ticket ticket, Execution execution, ContextualCall<?, ?> work) {
            Object result;
            try {
                result = inside.run(execution, work);
            } catch (Throwable fault) {
                // Such as a stack overflow further in: the ticket is given back all the same.
                result = Failure.fault(fault);
            }
            return Settlement.settle(layer, ticket, execution, result);
        }

        private @Nullable Object runLater(Admittance answer, Execution execution, ContextualCall<?, ?> work) {
            execution.timePasses();
            if (answer instanceof Substitute substitute) {
                return Settlement.substituted(layer, execution, substitute);
            }
            if (answer instanceof Reservation reservation) {
                return runAfter(reservation, execution, work);
            }
            Admittance answerOfPlace;
            try {
                answerOfPlace = await((Place) answer, execution);
            } catch (InterruptedException interrupted) {
                return Failure.notBegun(interrupted);
            }
            if (answerOfPlace instanceof RejectedException rejection) {
                return Settlement.rejected(layer, execution, rejection);
            }
            return runWith((Ticket) answerOfPlace, execution, work);
        }

        private @Nullable Object runAfter(Reservation reservation, Execution execution, ContextualCall<?, ?> work) {
            Settlement.delayed(layer, execution, reservation.waitNanos());
            try {
                requireNotCut(execution);
                execution.time().sleep(reservation.waitNanos());
            } catch (InterruptedException interrupted) {
                return Settlement.cutBefore(reservation, interrupted);
            }
            return runWith(reservation, execution, work);
        }

        private static Admittance await(Place place, Execution execution) throws InterruptedException {
            CountDownLatch answered = new CountDownLatch(1);
            place.whenAnswered(answered::countDown);
            try {
                requireNotCut(execution);
                boolean inTime = execution.time().await(answered, place.maxWaitNanos());
                if (!inTime && place.leave()) {
                    return place.expired();
                }
            } catch (InterruptedException interrupted) {
                if (place.leave()) {
                    throw interrupted;
                }
                // The ticket came first. The work is told of the interrupt instead.
                Thread.currentThread().interrupt();
            }
            Admittance answer = place.answer();
            if (answer == null) {
                throw new IllegalStateException("a place was decided without an answer");
            }
            return answer;
        }
    }

    private static final class Limiting extends Around {

        private final Deadline deadline;
        private final boolean isLimitKnown;
        private final long knownLimit;
        private final boolean isDetached;

        Limiting(Deadline deadline, Layer layer, BlockingDriver inside) {
            super(layer, inside);
            this.deadline = deadline;
            this.isLimitKnown = deadline.knownLimitNanos().isPresent();
            this.knownLimit = deadline.knownLimitNanos().orElse(0);
            this.isDetached = deadline.isDetached();
        }

        @Override
        @Nullable
        Object run(Execution execution, ContextualCall<?, ?> work) {
            if (isLimitKnown) {
                return runWithin(knownLimit, execution, work);
            }
            long limit;
            try {
                limit = deadline.limitNanos(execution);
            } catch (Throwable fault) {
                return Failure.fault(fault);
            }
            // A function gave it, and may have taken its time.
            execution.timePasses();
            return runWithin(limit, execution, work);
        }

        private @Nullable Object runWithin(long limit, Execution execution, ContextualCall<?, ?> work) {
            int outerLayer = execution.dueLayer();
            long outerDue = execution.deadline();
            long due = execution.dueOnEntering(limit);
            boolean tightened = execution.tighten(layer.index, due, limit, layer.shortestLimitInside);
            Object result;
            try {
                result = isDetached
                        ? BlockingRace.run(layer, inside, SingleAttempt.INSTANCE, execution, work)
                        : inside.run(execution, work);
            } catch (Throwable fault) {
                // Such as a stack overflow further in: the deadline is left all the same.
                result = Failure.fault(fault);
            }
            if (!tightened || leavesLightly(result, outerLayer, outerDue, execution)) {
                return result;
            }
            return execution.loosen(outerLayer, outerDue)
                    ? Settlement.timedOut(layer, execution, limit, result)
                    : result;
        }

        private boolean leavesLightly(@Nullable Object result, int outerLayer, long outerDue, Execution execution) {
            return layer.leavesLightly
                    && outerLayer != Execution.NO_LAYER
                    && !(result instanceof Failure)
                    && execution.leaveLightly(outerLayer, outerDue);
        }
    }

    private static final class Repeating extends Around {

        private final Continuation continuation;

        Repeating(Continuation continuation, Layer layer, BlockingDriver inside) {
            super(layer, inside);
            this.continuation = continuation;
        }

        @Override
        @Nullable
        Object run(Execution execution, ContextualCall<?, ?> work) {
            continuation.entered();
            Object result = inside.run(execution, work);
            if (!(result instanceof Failure) && layer.takesEveryValue) {
                return result;
            }
            return repeat(result, execution, work);
        }

        private @Nullable Object repeat(@Nullable Object first, Execution execution, ContextualCall<?, ?> work) {
            Repetition repetition = new Repetition(continuation, layer, execution);
            long delay = repetition.next(first);
            while (delay != Repetition.ENDED) {
                execution.timePasses();
                try {
                    requireNotCut(execution);
                    execution.time().sleep(delay);
                } catch (InterruptedException interrupted) {
                    return repetition.cut(interrupted);
                }
                repetition.beginNext();
                delay = repetition.next(inside.run(execution, work));
            }
            // What decided may have taken its time, or what replaced the outcome.
            execution.timePasses();
            return repetition.result();
        }
    }

    private static final class Racing extends Around {

        private final Race race;

        Racing(Race race, Layer layer, BlockingDriver inside) {
            super(layer, inside);
            this.race = race;
        }

        @Override
        @Nullable
        Object run(Execution execution, ContextualCall<?, ?> work) {
            race.entered();
            return execution.isRepeatable()
                    ? BlockingRace.run(layer, inside, race.begin(execution), execution, work)
                    : inside.run(execution, work);
        }
    }
}
