package dev.recloser;

import dev.recloser.spi.Admission;
import dev.recloser.spi.Admittance;
import dev.recloser.spi.Continuation;
import dev.recloser.spi.Deadline;
import dev.recloser.spi.Place;
import dev.recloser.spi.Ticket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls over stages: each layer hands the layer inside it a {@link Sink} for the result, and no thread ever waits. A call is cut
 * at its {@linkplain StageExecution.Leaf leaf}, which then ends at once, whatever the work does; the result that says so takes the
 * same way out through the layers as any other, so that every ticket is ended by the same line of code.
 */
final class StageDriver {

    /** Takes a result, exactly once. */
    interface Sink {
        void take(@Nullable Object result);
    }

    private final Layer[] layers;

    StageDriver(Layer[] layers) {
        this.layers = layers;
    }

    void run(StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        run(0, execution, work, sink);
    }

    void run(int index, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        if (index == layers.length) {
            new StageAttempt(execution, sink).start(work);
            return;
        }
        Layer layer = layers[index];
        if (layer.admission != null) {
            admit(layer.admission, layer, index, execution, work, sink);
        } else if (layer.deadline != null) {
            limit(layer.deadline, layer, index, execution, work, sink);
        } else if (layer.continuation != null) {
            repeat(layer.continuation, layer, index, execution, work, sink);
        } else {
            throw new AssertionError(layer.strategy);
        }
    }

    private void admit(
            Admission admission,
            Layer layer,
            int index,
            StageExecution execution,
            ContextualStageCall<?> work,
            Sink sink) {
        Admittance answer;
        try {
            answer = admission.acquire(execution);
        } catch (Throwable fault) {
            sink.take(Failure.fault(fault));
            return;
        }
        if (answer instanceof Place place) {
            Queued queued = new Queued(place, layer, index, execution, work, sink);
            execution.enter(queued);
            place.whenAnswered(queued);
        } else {
            enter(answer, layer, index, execution, work, sink);
        }
    }

    private void enter(
            Admittance answer,
            Layer layer,
            int index,
            StageExecution execution,
            ContextualStageCall<?> work,
            Sink sink) {
        if (answer instanceof RejectedException rejection) {
            sink.take(Failure.notBegun(rejection));
        } else {
            Admitted admitted = new Admitted((Ticket) answer, layer, index, execution, sink);
            try {
                run(index + 1, execution, work, admitted);
            } catch (Throwable fault) {
                // Such as a stack overflow further in: the ticket is given back all the same.
                admitted.take(Failure.fault(fault));
            }
        }
    }

    /** Ends a ticket with the first result that comes. */
    private static final class Admitted implements Sink {

        private final AtomicBoolean ended = new AtomicBoolean();
        private final Ticket ticket;
        private final Layer layer;
        private final int index;
        private final StageExecution execution;
        private final Sink sink;

        Admitted(Ticket ticket, Layer layer, int index, StageExecution execution, Sink sink) {
            this.ticket = ticket;
            this.layer = layer;
            this.index = index;
            this.execution = execution;
            this.sink = sink;
        }

        @Override
        public void take(@Nullable Object result) {
            if (ended.compareAndSet(false, true)) {
                sink.take(Settlement.settle(layer, index, ticket, execution, result));
            }
        }
    }

    /** Stands in the queue of a limiter. */
    private final class Queued implements StageExecution.Leaf, Runnable {

        private final Place place;
        private final Layer layer;
        private final int index;
        private final StageExecution execution;
        private final ContextualStageCall<?> work;
        private final Sink sink;

        Queued(Place place, Layer layer, int index, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
            this.place = place;
            this.layer = layer;
            this.index = index;
            this.execution = execution;
            this.work = work;
            this.sink = sink;
        }

        /** Goes on elsewhere: whoever gave the permit has work of its own, and may be one of a thousand in a row. */
        @Override
        public void run() {
            try {
                execution.time().executor().execute(this::goOn);
            } catch (Throwable noThread) {
                goOn();
            }
        }

        private void goOn() {
            Admittance answer = place.answer();
            if (answer != null) {
                enter(answer, layer, index, execution, work, sink);
            }
        }

        @Override
        public void cut() {
            if (place.leave()) {
                sink.take(Failure.notBegun(new CancellationException()));
            }
        }
    }

    private void limit(
            Deadline deadline,
            Layer layer,
            int index,
            StageExecution execution,
            ContextualStageCall<?> work,
            Sink sink) {
        long limit;
        try {
            limit = deadline.limitNanos(execution);
        } catch (Throwable fault) {
            sink.take(Failure.fault(fault));
            return;
        }
        int outerLayer = execution.dueLayer();
        long outerDue = execution.due();
        if (!execution.tighten(index, execution.dueIn(limit))) {
            run(index + 1, execution, work, sink);
            return;
        }
        run(index + 1, execution, work, result -> {
            boolean over = execution.loosen(outerLayer, outerDue);
            sink.take(over ? Settlement.timedOut(layer, execution, limit, result) : result);
        });
    }

    private void repeat(
            Continuation continuation,
            Layer layer,
            int index,
            StageExecution execution,
            ContextualStageCall<?> work,
            Sink sink) {
        Repetition repetition = new Repetition(continuation, layer, index, execution);
        new StageRepetition(repetition, execution, attempt -> run(index + 1, execution, work, attempt), sink).start();
    }
}
