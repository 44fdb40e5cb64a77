package dev.recloser;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An attempt of a call that is watched. Others have a chain of drivers without it, and so nothing to look at. */
final class WatchedWork extends BlockingDriver.Work {

    @Override
    @Nullable
    Object run(Execution execution, ContextualCall<?, ?> work) {
        CallWatch watch = Objects.requireNonNull(execution.watch(), "watch");
        int number = execution.attempt();
        long start = execution.recentTime();
        CallWatch.Scope scope = Watch.enter(watch, execution);
        Object result;
        try {
            result = super.run(execution, work);
        } finally {
            Watch.leave(scope, execution);
        }
        Watch.attemptEnded(watch, execution, number, result, execution.nanosSince(start));
        return result;
    }
}
