package dev.recloser.tests;

import dev.recloser.CallContext;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call as a strategy sees it: how much time it has left, if there is a limit, and whether its work may run twice. */
public record Calling(@Nullable Duration left, boolean isRepeatable) implements CallContext {

    public static final Calling FREELY = new Calling(null, true);

    public static Calling with(Duration left) {
        return new Calling(left, true);
    }

    @Override
    public String pipeline() {
        return "p";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public int hedge() {
        return 0;
    }

    @Override
    public Optional<Duration> remaining() {
        return Optional.ofNullable(left);
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable hook) {
        // Nobody cancels it.
    }
}
