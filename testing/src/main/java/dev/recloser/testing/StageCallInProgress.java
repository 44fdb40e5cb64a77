package dev.recloser.testing;

import dev.recloser.Pipeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A call over stages. */
final class StageCallInProgress<R extends @Nullable Object> extends OngoingCall<R> {

    private @Nullable CompletableFuture<R> future;

    @SuppressWarnings("FutureReturnValueIgnored") // what whenComplete returns tells nothing that its argument does not
    static <R extends @Nullable Object> StageCallInProgress<R> start(Pipeline<R> pipeline) {
        StageCallInProgress<R> call = new StageCallInProgress<>();
        CompletableFuture<R> future = pipeline.callAsync(context -> {
            Attempt<R> attempt = call.begin(context);
            attempt.answer.whenComplete((value, error) -> attempt.left = true);
            return attempt.answer;
        });
        call.future = future;
        future.whenComplete((value, error) -> call.end(value, unwrapped(error)));
        call.awaitRest();
        return call;
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    /** Nothing happens by itself between the moments in which a stage is completed or the clock advanced. */
    @Override
    boolean isWaitingInside() {
        return true;
    }

    @Override
    public OngoingCall<R> cancel() {
        CompletableFuture<R> running = future;
        if (running != null) {
            running.cancel(true);
        }
        return awaitEnd();
    }
}
