package dev.recloser.http;

import dev.recloser.CallContext;
import java.time.Duration;
import java.util.Optional;

/**
 * The context of an attempt in the pipeline of an endpoint, which stands inside that of the client.
 *
 * @param outer the call in the pipeline of the client
 * @param inner the call in the pipeline of the endpoint
 */
record NestedContext(CallContext outer, CallContext inner) implements CallContext {

    @Override
    public String pipeline() {
        return inner.pipeline();
    }

    @Override
    public int attempt() {
        return outer.attempt();
    }

    @Override
    public int hedge() {
        return outer.hedge();
    }

    @Override
    public boolean isRepeatable() {
        return outer.isRepeatable();
    }

    @Override
    public Optional<Duration> remaining() {
        Optional<Duration> tighter = inner.remaining();
        Optional<Duration> other = outer.remaining();
        boolean isOtherTighter =
                other.isPresent() && (tighter.isEmpty() || other.get().compareTo(tighter.get()) < 0);
        return isOtherTighter ? other : tighter;
    }

    @Override
    public boolean isCancelled() {
        return inner.isCancelled() || outer.isCancelled();
    }

    @Override
    public void onCancel(Runnable hook) {
        inner.onCancel(hook);
    }
}
