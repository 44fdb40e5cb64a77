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
import dev.recloser.time.Countdown;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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

    private StageDriver() {}

    /** Runs what stands from this layer on, or the work itself if there is none. */
    static void run(@Nullable Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        if (layer == null) {
            new StageAttempt(execution, sink).start(work);
        } else if (layer.admission != null) {
            admit(layer.admission, layer, execution, work, sink);
        } else if (layer.deadline != null) {
            limit(layer.deadline, layer, execution, work, sink);
        } else if (layer.continuation != null) {
            repeat(layer.continuation, layer, execution, work, sink);
        } else if (layer.race != null) {
            race(layer.race, layer, execution, work, sink);
        } else {
            throw new AssertionError(layer.strategy);
        }
    }

    // ---- admissions

    private static void admit(
            Admission admission, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        Admittance answer;
        try {
            answer = admission.acquire(execution);
        } catch (Throwable fault) {
            sink.take(Failure.fault(fault));
            return;
        }
        if (answer instanceof Place place) {
            new Queued(place, layer, execution, work, sink).begin();
        } else if (answer instanceof Reservation reservation) {
            Settlement.delayed(layer, execution, reservation.waitNanos());
            execution.await(
                    reservation.waitNanos(),
                    () -> enter(reservation, layer, execution, work, sink),
                    () -> sink.take(Settlement.cutBefore(reservation, new CancellationException())));
        } else if (answer instanceof Substitute substitute) {
            sink.take(Settlement.substituted(layer, execution, substitute));
        } else {
            enter(answer, layer, execution, work, sink);
        }
    }

    private static void enter(
            Admittance answer, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        if (answer instanceof RejectedException rejection) {
            sink.take(Settlement.rejected(layer, execution, rejection));
            return;
        }
        runInto(new Admitted((Ticket) answer, layer, execution, sink), layer.next, execution, work);
    }

    /** Runs what stands from a layer on; what throws, such as a stack that overflows, is a result too, if there was none before. */
    static void runInto(
            FirstResult result, @Nullable Layer layer, StageExecution execution, ContextualStageCall<?> work) {
        try {
            run(layer, execution, work, result);
        } catch (Throwable fault) {
            result.take(Failure.fault(fault));
        }
    }

    /** Ends a ticket. */
    private static final class Admitted extends FirstResult {

        private final Ticket ticket;
        private final Layer layer;
        private final StageExecution execution;

        Admitted(Ticket ticket, Layer layer, StageExecution execution, Sink sink) {
            super(sink);
            this.ticket = ticket;
            this.layer = layer;
            this.execution = execution;
        }

        @Override
        @Nullable
        Object passOn(@Nullable Object result) {
            return Settlement.settle(layer, ticket, execution, result);
        }
    }

    /** Stands in the queue of a limiter, for as long as its place allows. */
    private static final class Queued implements StageExecution.Leaf {

        private final Place place;
        private final Layer layer;
        private final StageExecution execution;
        private final ContextualStageCall<?> work;
        private final Sink sink;
        private final @Nullable Countdown patience;
        private final AtomicBoolean gone = new AtomicBoolean();

        Queued(Place place, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
            this.place = place;
            this.layer = layer;
            this.execution = execution;
            this.work = work;
            this.sink = sink;
            long nanos = place.maxWaitNanos();
            this.patience = nanos == Place.UNBOUNDED ? null : new Countdown(execution.time(), this::expire);
        }

        void begin() {
            execution.enter(this);
            if (patience != null) {
                patience.begin(execution.dueIn(place.maxWaitNanos()));
            }
            place.whenAnswered(this::answered);
        }

        /** Goes on elsewhere: whoever gave the permit has work of its own, and may be one of a thousand in a row. */
        private void answered() {
            stopWaiting();
            try {
                execution.time().executor().execute(this::goOn);
            } catch (Throwable noThread) {
                goOn();
            }
        }

        private void goOn() {
            Admittance answer = place.answer();
            if (answer != null && gone.compareAndSet(false, true)) {
                goOnWith(answer);
            }
        }

        private void expire() {
            if (place.leave()) {
                goOnWith(place.expired());
            }
        }

        private void goOnWith(Admittance answer) {
            Watch.within(execution, () -> enter(answer, layer, execution, work, sink));
        }

        @Override
        public void cut() {
            if (place.leave()) {
                stopWaiting();
                Watch.within(execution, () -> sink.take(Failure.notBegun(new CancellationException())));
            }
        }

        private void stopWaiting() {
            if (patience != null) {
                patience.stop();
            }
        }
    }

    // ---- deadlines

    private static void limit(
            Deadline deadline, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        long limit;
        try {
            limit = deadline.limitNanos(execution);
        } catch (Throwable fault) {
            sink.take(Failure.fault(fault));
            return;
        }
        int outerLayer = execution.dueLayer();
        long outerDue = execution.deadline();
        long due = execution.dueIn(limit);
        if (!execution.tighten(layer.index, due, limit, Long.MAX_VALUE)) {
            run(layer.next, execution, work, sink);
            return;
        }
        runInto(new Limited(layer, execution, limit, outerLayer, outerDue, sink), layer.next, execution, work);
    }

    /** Leaves a deadline with the first result that comes. */
    private static final class Limited extends FirstResult {

        private final Layer layer;
        private final StageExecution execution;
        private final long limit;
        private final int outerLayer;
        private final long outerDue;

        Limited(Layer layer, StageExecution execution, long limit, int outerLayer, long outerDue, Sink sink) {
            super(sink);
            this.layer = layer;
            this.execution = execution;
            this.limit = limit;
            this.outerLayer = outerLayer;
            this.outerDue = outerDue;
        }

        @Override
        @Nullable
        Object passOn(@Nullable Object result) {
            boolean over = execution.loosen(outerLayer, outerDue);
            return over ? Settlement.timedOut(layer, execution, limit, result) : result;
        }
    }

    // ---- continuations and races

    private static void repeat(
            Continuation continuation, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        continuation.entered();
        Repetition repetition = new Repetition(continuation, layer, execution);
        Consumer<Sink> attempt = each -> runInto(FirstResult.of(each), layer.next, execution, work);
        new StageRepetition(repetition, execution, attempt, sink).start();
    }

    private static void race(Race race, Layer layer, StageExecution execution, ContextualStageCall<?> work, Sink sink) {
        race.entered();
        if (!execution.isRepeatable()) {
            run(layer.next, execution, work, sink);
            return;
        }
        Race.Contest contest = race.begin(execution);
        StageRace attempts = new StageRace(layer, contest, execution, work, sink);
        execution.enter(attempts);
        attempts.run();
    }
}
