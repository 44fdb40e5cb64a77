package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on the thread of the caller: each layer is a method call inside that of the layer around it. Results are values, or
 * {@link Failure}s, all the way; nothing is thrown before the caller is reached.
 */
final class BlockingDriver {

    private BlockingDriver() {}

    static @Nullable Object run(Layer[] layers, Execution execution, ContextualCall<?, ?> work) {
        return run(layers, 0, execution, work);
    }

    private static @Nullable Object run(Layer[] layers, int index, Execution execution, ContextualCall<?, ?> work) {
        if (index == layers.length) {
            return attempt(execution, work);
        }
        Layer layer = layers[index];
        if (layer.admission != null) {
            return admit(layers, layer.admission, layer, index, execution, work);
        }
        if (layer.deadline != null) {
            return limit(layers, layer.deadline, layer, index, execution, work);
        }
        if (layer.continuation != null) {
            return repeat(layers, layer.continuation, layer, index, execution, work);
        }
        throw new AssertionError(layer.strategy);
    }

    private static @Nullable Object attempt(Execution execution, ContextualCall<?, ?> work) {
        try {
            return work.call(execution);
        } catch (Throwable error) {
            return Failure.begun(error);
        } finally {
            execution.attemptEnded();
        }
    }

    private static @Nullable Object admit(
            Layer[] layers,
            Admission admission,
            Layer layer,
            int index,
            Execution execution,
            ContextualCall<?, ?> work) {
        Admittance answer = admission.acquire(execution);
        if (answer instanceof Place place) {
            try {
                answer = await(place);
            } catch (InterruptedException interrupted) {
                return Failure.notBegun(interrupted);
            }
        }
        if (answer instanceof RejectedException rejection) {
            return Failure.notBegun(rejection);
        }
        return runWith(layers, (Ticket) answer, layer, index, execution, work);
    }

    private static @Nullable Object runWith(
            Layer[] layers, Ticket ticket, Layer layer, int index, Execution execution, ContextualCall<?, ?> work) {
        Object result;
        try {
            result = run(layers, index + 1, execution, work);
        } catch (Throwable fault) {
            // Such as a stack overflow further in: the ticket is given back all the same.
            result = Failure.fault(fault);
        }
        return Settlement.settle(layer, index, ticket, execution, result);
    }

    private static Admittance await(Place place) throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(1);
        place.whenAnswered(answered::countDown);
        try {
            answered.await();
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

    private static @Nullable Object limit(
            Layer[] layers, Deadline deadline, Layer layer, int index, Execution execution, ContextualCall<?, ?> work) {
        long limit;
        try {
            limit = deadline.limitNanos(execution);
        } catch (Throwable fault) {
            return Failure.fault(fault);
        }
        int outerLayer = execution.dueLayer();
        long outerDue = execution.due();
        if (!execution.tighten(index, execution.dueIn(limit))) {
            return run(layers, index + 1, execution, work);
        }
        boolean over;
        Object result;
        try {
            result = run(layers, index + 1, execution, work);
        } finally {
            over = execution.loosen(outerLayer, outerDue);
        }
        return over ? Settlement.timedOut(layer, execution, limit, result) : result;
    }

    private static @Nullable Object repeat(
            Layer[] layers,
            Continuation continuation,
            Layer layer,
            int index,
            Execution execution,
            ContextualCall<?, ?> work) {
        Object result = run(layers, index + 1, execution, work);
        if (!(result instanceof Failure) && layer.classifier.acceptsEveryValue()) {
            return result;
        }
        Repetition repetition = new Repetition(continuation, layer, index, execution);
        long delay = repetition.next(result);
        while (delay != Repetition.ENDED) {
            try {
                execution.time().sleep(delay);
            } catch (InterruptedException interrupted) {
                return Failure.begun(interrupted);
            }
            delay = repetition.next(run(layers, index + 1, execution, work));
        }
        return repetition.result();
    }
}
