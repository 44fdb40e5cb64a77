package dev.recloser;

import dev.recloser.spi.Race;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Blocking attempts beside each other: each on a thread of its own, while the caller waits for the outcome and for nothing else. */
final class BlockingRace extends AttemptRace<BlockingExecution> {

    private final ContextualCall<?, ?> work;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Object result;
    private volatile boolean wasLeft;

    private final BlockingDriver inside;

    private BlockingRace(
            Layer layer, BlockingDriver inside, Race.Contest contest, Execution trunk, ContextualCall<?, ?> work) {
        super(layer, contest, trunk);
        this.inside = inside;
        this.work = work;
    }

    static @Nullable Object run(
            Layer layer, BlockingDriver inside, Race.Contest contest, Execution trunk, ContextualCall<?, ?> work) {
        trunk.timePasses();
        BlockingRace race = new BlockingRace(layer, inside, contest, trunk, work);
        race.run();
        race.await();
        Layer timeout = trunk.timeoutInForce();
        if (timeout != null && race.wasLeft) {
            trunk.plan().listeners().tell(PipelineEvent.Kind.ABANDONED, timeout, trunk, null);
        }
        return race.result;
    }

    private void await() {
        boolean interrupted = false;
        while (true) {
            if (trunk().isCut()) {
                // Somebody's code may have swallowed the interrupt that says so.
                cut(new InterruptedException());
            }
            try {
                over.await();
                break;
            } catch (InterruptedException interrupt) {
                // If the race has been decided at the same moment, its result counts, and the interrupt is kept.
                interrupted = !cut(interrupt);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void start(RaceAttempt<BlockingExecution> attempt) {
        try {
            trunk().time().workers().execute(() -> run(attempt));
        } catch (Throwable noThread) {
            attempt.end(Failure.notBegun(noThread));
        }
    }

    private void run(RaceAttempt<BlockingExecution> attempt) {
        BlockingExecution own = BlockingExecution.inRace(trunk());
        Object outcome = null;
        if (attempt.runsIn(own)) {
            CallWatch watch = own.watch();
            CallWatch.Scope scope = watch == null ? CallWatch.Scope.NOTHING : Watch.enter(watch, own);
            try {
                outcome = inside.run(own, work);
            } catch (Throwable fault) {
                outcome = Failure.fault(fault);
            } finally {
                Watch.leave(scope, own);
            }
        }
        attempt.end(outcome);
    }

    @Override
    void finish(@Nullable Object outcome) {
        result = outcome;
        over.countDown();
    }

    /** Not on the thread of the caller, who wants to go on. */
    @Override
    void cancelWithCaller(BlockingExecution attempt) {
        attempt.cancelElsewhere();
    }

    @Override
    void leaveBehind(int attempts) {
        wasLeft = attempts > 0;
        trunk().plan().abandoned().addAndGet(attempts);
    }

    @Override
    void leftBehindEnded() {
        trunk().plan().abandoned().decrementAndGet();
    }
}
