package dev.recloser;

import dev.recloser.PipelineEvent.Kind;
import dev.recloser.spi.Race;
import dev.recloser.spi.Race.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts of one call beside each other until the first has succeeded or all have failed. Each has an {@link Execution} of
 * its own, so that one can be cut without the others. What the two drivers do differently, how an attempt is started and where
 * the result goes, they say in a subclass.
 *
 * <p>The call around the race is the trunk. A deadline that is in force there binds each attempt too, and cuts it by itself; the
 * outcome of that is not looked at, since the same deadline cuts the trunk at the same moment.
 *
 * <p>Fields are guarded by this object's lock, under which nothing of the user's runs.
 *
 * @param <E> the executions of the attempts
 */
abstract class AttemptRace<E extends Execution> {

    private final Layer layer;
    private final RaceJudge judge;
    private final Race.Contest contest;
    private final Execution trunk;

    /** The deadline in force when the race began. */
    private final int dueLayer;

    private final long due;
    private final boolean isCutBefore;

    private final List<RaceAttempt<E>> running = new ArrayList<>(2);
    private int begun;
    private boolean decided;
    private boolean anyFailed;
    private @Nullable Object firstFailure;
    private @Nullable Object firstRejection;
    private boolean anyWorked;
    private @Nullable RaceAttempt<E> latest;

    AttemptRace(Layer layer, Race.Contest contest, Execution trunk) {
        this.layer = layer;
        this.judge = new RaceJudge(layer);
        this.contest = contest;
        this.trunk = trunk;
        this.dueLayer = trunk.dueLayer();
        this.due = trunk.deadline();
        this.isCutBefore = trunk.isCut();
    }

    /**
     * Makes the execution that of an attempt, before the attempt does anything.
     *
     * @return false if the race is over already, and the attempt must not begin
     */
    final boolean enter(RaceAttempt<E> attempt, E own) {
        own.branchOff(trunk, attempt.number, dueLayer, due);
        synchronized (this) {
            attempt.execution = own;
            return !decided;
        }
    }

    final Execution trunk() {
        return trunk;
    }

    /** Starts an attempt, on whichever thread, which {@linkplain RaceAttempt#runsIn begins} and {@linkplain RaceAttempt#end ends} there. */
    abstract void start(RaceAttempt<E> attempt);

    /** Takes the result of the call, once. */
    abstract void finish(@Nullable Object result);

    /** The caller has cancelled the call, of which this is an attempt that runs. */
    abstract void cancelWithCaller(E attempt);

    /** The caller is free, and so many attempts go on. */
    abstract void leaveBehind(int attempts);

    /** One of those that were left behind has ended. */
    abstract void leftBehindEnded();

    /** Starts the race, unless the call has been cut before. */
    final void run() {
        if (isCutBefore) {
            cut(new CancellationException());
            return;
        }
        Next first = new Next();
        synchronized (this) {
            first.reserve();
        }
        first.follow(null);
    }

    /** What follows a look at the race: decided under the lock, done outside of it. */
    private final class Next {

        private Permission permission = Permission.NO_MORE;
        private @Nullable RaceAttempt<E> attempt;
        private @Nullable RaceAttempt<E> before;
        private @Nullable Throwable fault;

        /** Another attempt, if the contest allows it. */
        void ask() {
            try {
                permission = contest.next(begun);
                if (permission == Permission.GRANTED) {
                    reserve();
                }
            } catch (Throwable thrown) {
                fault = thrown;
            }
        }

        /** From here on the attempt is one of those that run. */
        void reserve() {
            try {
                attempt = new RaceAttempt<>(AttemptRace.this, begun, contest.patienceNanos(begun + 1));
            } catch (Throwable thrown) {
                fault = thrown;
                return;
            }
            begun++;
            running.add(attempt);
            before = latest;
            latest = attempt;
        }

        void follow(@Nullable Object failure) {
            if (fault != null) {
                decideBy(Failure.fault(fault));
            } else if (permission == Permission.OVER_BUDGET) {
                tell(Kind.HEDGE_OVER_BUDGET, begun, failure);
            }
            if (attempt != null) {
                begin(attempt, before);
            }
        }
    }

    private void begin(RaceAttempt<E> attempt, @Nullable RaceAttempt<E> before) {
        stopWaitingFor(before);
        if (attempt.patience != null) {
            attempt.patience.begin(attempt.startNanos + attempt.patienceNanos);
        }
        if (attempt.number > 0) {
            tell(Kind.HEDGE, attempt.number, null);
        }
        start(attempt);
        if (attempt.patienceNanos == 0) {
            patienceIsOver();
        }
    }

    final void patienceIsOver() {
        Next next = new Next();
        synchronized (this) {
            if (!decided) {
                next.ask();
            }
        }
        next.follow(null);
    }

    final void ended(RaceAttempt<E> attempt, @Nullable Object result, boolean isCutWithTrunk) {
        synchronized (this) {
            anyWorked |= attempt.execution != null && attempt.execution.hasWorked();
            if (decided) {
                leftBehindEnded();
                return;
            }
            if (isCutWithTrunk) {
                running.remove(attempt);
                return;
            }
        }
        settle(attempt, judge.of(result));
    }

    private void settle(RaceAttempt<E> attempt, RaceJudge.Verdict verdict) {
        Next next = new Next();
        Object end = verdict.result();
        List<E> losers = List.of();
        boolean isOver = verdict.isFinal();
        boolean isSuccess = verdict.outcome() == OutcomeClass.SUCCESS;
        synchronized (this) {
            if (decided) {
                leftBehindEnded();
                return;
            }
            running.remove(attempt);
            if (isSuccess) {
                took(attempt);
            }
            if (!isOver) {
                end = remember(verdict);
                if (verdict.outcome() == OutcomeClass.FAILURE) {
                    next.ask();
                }
                isOver = running.isEmpty() && next.fault == null;
            }
            if (isOver) {
                losers = decide(isSuccess);
            }
        }
        if (!isOver || end != verdict.result()) {
            tell(Kind.HEDGE_FAILED, attempt.number, verdict.result());
        }
        next.follow(verdict.result());
        if (isOver) {
            finish(end, losers);
        }
    }

    /** The failure that the call ends in if no attempt succeeds: the first, and a rejection only if there is nothing else. */
    private @Nullable Object remember(RaceJudge.Verdict verdict) {
        if (verdict.outcome() != OutcomeClass.FAILURE) {
            firstRejection = firstRejection == null ? verdict.result() : firstRejection;
        } else if (!anyFailed) {
            anyFailed = true;
            firstFailure = verdict.result();
        }
        return anyFailed ? firstFailure : firstRejection;
    }

    private void took(RaceAttempt<E> attempt) {
        try {
            contest.took(attempt.number, trunk.time().nanoTime() - attempt.startNanos);
        } catch (Throwable fault) {
            Listeners.warn("a race threw when it was told how long an attempt took", fault);
        }
    }

    /**
     * Under the lock. Those that are still running are left behind from now on.
     *
     * @param isLate whether they have taken longer than they should, so that the time they ran tells something
     */
    private List<E> decide(boolean isLate) {
        decided = true;
        leaveBehind(running.size());
        List<E> losers = new ArrayList<>(running.size());
        for (RaceAttempt<E> attempt : running) {
            if (isLate) {
                took(attempt);
            }
            if (attempt.execution != null) {
                losers.add(attempt.execution);
            }
        }
        return losers;
    }

    private void decideBy(Failure fault) {
        List<E> losers;
        synchronized (this) {
            if (decided) {
                return;
            }
            losers = decide(false);
        }
        finish(fault, losers);
    }

    private void finish(@Nullable Object result, List<E> losers) {
        stopWaiting();
        losers.forEach(Execution::cancelElsewhere);
        finish(result);
    }

    private void stopWaiting() {
        RaceAttempt<E> last;
        synchronized (this) {
            last = latest;
        }
        stopWaitingFor(last);
    }

    private void stopWaitingFor(@Nullable RaceAttempt<E> attempt) {
        if (attempt != null && attempt.patience != null) {
            attempt.patience.stop();
        }
    }

    /**
     * Ends the race because the call is cut. A deadline cuts the attempts by itself, since it binds each of them; a caller who
     * cancels does not.
     *
     * @return false if it was over already
     */
    final boolean cut(Throwable why) {
        Layer timeout = trunk.timeoutInForce();
        List<E> left;
        boolean isBegun;
        synchronized (this) {
            if (decided) {
                return false;
            }
            left = decide(timeout != null);
            isBegun = anyWorked || left.stream().anyMatch(Execution::hasWorked);
        }
        stopWaiting();
        if (timeout == null) {
            left.forEach(this::cancelWithCaller);
        }
        finish(isBegun ? Failure.begun(why) : Failure.notBegun(why));
        return true;
    }

    private void tell(Kind kind, int attempt, @Nullable Object outcome) {
        trunk.plan().listeners().tell(kind, layer, trunk, attempt, outcome);
    }
}
