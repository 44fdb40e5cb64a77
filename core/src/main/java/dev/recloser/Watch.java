package dev.recloser;

import dev.recloser.CallWatch.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the drivers tell of a call that is watched. Whatever a watch throws is logged, and goes no further. */
final class Watch {

    private Watch() {}

    /** Who watches a call that begins, if anybody does. */
    static @Nullable CallWatch begin(CallListener[] listeners, String pipeline) {
        CallWatch first = null;
        List<CallWatch> several = null;
        for (CallListener listener : listeners) {
            CallWatch watch = begin(listener, pipeline);
            if (watch != null && first == null) {
                first = watch;
            } else if (watch != null) {
                several = several == null ? new ArrayList<>(List.of(first)) : several;
                several.add(watch);
            }
        }
        return several == null ? first : new Several(several);
    }

    private static @Nullable CallWatch begin(CallListener listener, String pipeline) {
        try {
            return listener.begun(pipeline);
        } catch (Throwable thrown) {
            warn(pipeline, thrown);
            return null;
        }
    }

    /** The call goes on, on this thread, until what is returned is given to {@link #leave}. */
    static Scope enter(CallWatch watch, Execution execution) {
        try {
            return watch.enter(execution.attempt(), execution.hedge());
        } catch (Throwable thrown) {
            warn(execution.pipeline(), thrown);
            return Scope.NOTHING;
        }
    }

    /** Does something that belongs to a call, which may be on any thread. */
    static void within(Execution execution, Runnable what) {
        CallWatch watch = execution.watch();
        if (watch == null) {
            what.run();
            return;
        }
        Scope scope = enter(watch, execution);
        try {
            what.run();
        } finally {
            leave(scope, execution);
        }
    }

    static void leave(Scope scope, Execution execution) {
        try {
            scope.close();
        } catch (Throwable thrown) {
            warn(execution.pipeline(), thrown);
        }
    }

    static void happened(CallWatch watch, PipelineEvent event) {
        try {
            watch.happened(event);
        } catch (Throwable thrown) {
            warn(event.pipeline(), thrown);
        }
    }

    /** The work of an attempt has ended. */
    static void attemptEnded(CallWatch watch, Execution execution, int attempt, @Nullable Object result, long nanos) {
        if (result instanceof Failure failure && failure.kind() == Failure.Kind.NOT_BEGUN) {
            return;
        }
        try {
            watch.attemptEnded(
                    attempt, execution.hedge(), execution.plan().judgement().ofAttempt(execution, result), nanos);
        } catch (Throwable thrown) {
            warn(execution.pipeline(), thrown);
        }
    }

    /** The call has ended. */
    static void ended(CallWatch watch, Execution execution, @Nullable Object result, long nanos) {
        try {
            watch.ended(execution.plan().judgement().ofCall(result), nanos);
        } catch (Throwable thrown) {
            warn(execution.pipeline(), thrown);
        }
    }

    /** The end of a call that begins: whoever watches is told first. */
    static StageDriver.Sink end(CallWatch watch, StageExecution execution, StageDriver.Sink end) {
        long start = execution.time().nanoTime();
        return new FirstResult(end) {
            @Override
            @Nullable
            Object passOn(@Nullable Object result) {
                ended(watch, execution, result, execution.time().nanoTime() - start);
                return result;
            }
        };
    }

    private static void warn(String pipeline, Throwable thrown) {
        Listeners.warn("a listener to the calls of " + pipeline + " threw", thrown);
    }

    /** Passes on to each of several; one that throws keeps nothing from the others. */
    private record Several(List<CallWatch> watches) implements CallWatch {

        @Override
        public Scope enter(int attempt, int hedge) {
            List<Scope> scopes = new ArrayList<>(watches.size());
            each(watch -> scopes.add(watch.enter(attempt, hedge)));
            return () -> {
                for (int i = scopes.size() - 1; i >= 0; i--) {
                    guarded(scopes.get(i)::close);
                }
            };
        }

        @Override
        public void happened(PipelineEvent event) {
            each(watch -> watch.happened(event));
        }

        @Override
        public void attemptEnded(int attempt, int hedge, CallOutcome outcome, long nanos) {
            each(watch -> watch.attemptEnded(attempt, hedge, outcome, nanos));
        }

        @Override
        public void ended(CallOutcome outcome, long nanos) {
            each(watch -> watch.ended(outcome, nanos));
        }

        private void each(Consumer<CallWatch> told) {
            for (CallWatch watch : watches) {
                guarded(() -> told.accept(watch));
            }
        }

        private static void guarded(Runnable told) {
            try {
                told.run();
            } catch (Throwable thrown) {
                Listeners.warn("one of several listeners to calls threw", thrown);
            }
        }
    }
}
