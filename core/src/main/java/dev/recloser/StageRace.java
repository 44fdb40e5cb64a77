package dev.recloser;

import dev.recloser.spi.Race;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Attempts over stages beside each other. Each is cut at its own leaf, and ends then at once, so none is left behind here. */
final class StageRace extends AttemptRace<StageExecution> implements StageExecution.Leaf {

    private final @Nullable Layer inside;
    private final ContextualStageCall<?> work;
    private final StageDriver.Sink sink;

    StageRace(Layer layer, Race.Contest contest, Execution trunk, ContextualStageCall<?> work, StageDriver.Sink sink) {
        super(layer, contest, trunk);
        this.inside = layer.next;
        this.work = work;
        this.sink = sink;
    }

    @Override
    public void cut() {
        cut(new CancellationException());
    }

    @Override
    void start(RaceAttempt<StageExecution> attempt) {
        StageExecution own = new StageExecution(trunk().plan(), trunk().isRepeatable());
        if (!attempt.runsIn(own)) {
            attempt.end(null);
            return;
        }
        Watch.within(own, () -> StageDriver.runInto(FirstResult.of(attempt::end), inside, own, work));
    }

    @Override
    void finish(@Nullable Object outcome) {
        Watch.within(trunk(), () -> sink.take(outcome));
    }

    /** On the thread of the one who cancels, so that all is given back when that returns. */
    @Override
    void cancelWithCaller(StageExecution attempt) {
        attempt.cancel();
    }

    @Override
    void leaveBehind(int attempts) {
        // See above.
    }

    @Override
    void leftBehindEnded() {
        // See above.
    }
}
