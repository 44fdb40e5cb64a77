package dev.recloser.opentelemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Context} holds of the attempt that it belongs to.
 *
 * @param call the call
 * @param attempt the number of the attempt: 1 for the first
 * @param hedge which of the attempts beside each other it is: 0 for the first or only one
 */
record AttemptContext(CallTrace call, int attempt, int hedge) {

    private static final ContextKey<AttemptContext> KEY = ContextKey.named("recloser-attempt");

    /** That of the innermost call that is not over; null outside of all. */
    static @Nullable AttemptContext in(Context context) {
        AttemptContext innermost = context.get(KEY);
        while (innermost != null && innermost.call.isOver()) {
            innermost = innermost.call.outer();
        }
        return innermost;
    }

    Context storedIn(Context context) {
        return context.with(KEY, this);
    }

    /** How many retries and hedges it is away from the first attempt, those of the calls around this one included. */
    int before() {
        AttemptContext outer = call.outer();
        return (outer == null ? 0 : outer.before()) + attempt - 1 + hedge;
    }
}
