package dev.recloser;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Takes the first result that comes and drops any other: what threw may have come to a result before. */
abstract class FirstResult implements StageDriver.Sink {

    private final AtomicBoolean ended = new AtomicBoolean();
    private final StageDriver.Sink sink;

    FirstResult(StageDriver.Sink sink) {
        this.sink = sink;
    }

    /** What becomes of the result on its way out. */
    abstract @Nullable Object passOn(@Nullable Object result);

    @Override
    public final void take(@Nullable Object result) {
        if (ended.compareAndSet(false, true)) {
            sink.take(passOn(result));
        }
    }

    /** A sink that passes the first result on as it is. */
    static FirstResult of(StageDriver.Sink sink) {
        return new FirstResult(sink) {
            @Override
            @Nullable
            Object passOn(@Nullable Object result) {
                return result;
            }
        };
    }
}
