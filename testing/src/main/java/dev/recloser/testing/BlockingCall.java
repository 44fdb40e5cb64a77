package dev.recloser.testing;

import dev.recloser.CallContext;
import dev.recloser.Pipeline;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A blocking call, on a thread of its own. */
final class BlockingCall<R extends @Nullable Object> extends OngoingCall<R> {

    private final Pipeline<R> pipeline;
    private volatile @Nullable Thread thread;

    private BlockingCall(Pipeline<R> pipeline) {
        this.pipeline = pipeline;
    }

    static <R extends @Nullable Object> BlockingCall<R> start(
            Pipeline<R> pipeline, Function<Runnable, Thread> starter) {
        BlockingCall<R> call = new BlockingCall<>(pipeline);
        call.thread = starter.apply(call::run);
        call.awaitRest();
        return call;
    }

    private void run() {
        try {
            end(pipeline.call(this::work), null);
        } catch (Throwable error) {
            end(null, error);
        }
    }

    private R work(CallContext context) throws Throwable {
        Attempt<R> attempt = begin(context);
        try {
            return attempt.answer.get();
        } catch (ExecutionException | CancellationException e) {
            // What the future makes of a failure differs between versions of the JDK; the work fails with the failure
            // itself.
            Throwable failure = attempt.failure;
            throw failure == null ? e : failure;
        } finally {
            attempt.left = true;
        }
    }

    @Override
    boolean isWaitingInside() {
        Thread running = thread;
        return running != null
                && (running.getState() == Thread.State.WAITING || running.getState() == Thread.State.TIMED_WAITING);
    }

    @Override
    public OngoingCall<R> cancel() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
        return awaitEnd();
    }
}
