package dev.recloser.http;

import dev.recloser.time.Countdown;
import dev.recloser.time.TimeSource;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response on its way to a subscriber, which can be cut: because its time is over, or because the caller has cancelled the
 * call. Then the connection is told to stop, the subscriber gets the reason as an error, and so does whoever waits for the body.
 *
 * <p>Signals keep their order: a subscriber that is just being called gets the error when it has returned. Fields are guarded by this
 * object's lock, under which no subscriber is called.
 *
 * @param <T> what the subscriber makes of the body
 */
final class BoundedBody<T> implements BodySubscriber<T>, Subscription {

    private final BodySubscriber<T> downstream;
    private final CompletableFuture<T> body = new CompletableFuture<>();
    private final TimeSource time;
    private final Optional<Duration> remaining;
    private final long startNanos;
    private final Countdown countdown;
    private volatile @Nullable Subscription upstream;
    private final AtomicBoolean isAsked = new AtomicBoolean();
    private int calls;
    private boolean isSubscribed;
    private boolean hasEnded;
    private @Nullable Throwable cut;

    /**
     * The body for a subscriber.
     *
     * @param remaining how long from now it may take once it is {@linkplain #limit limited}; empty for as long as it likes
     */
    BoundedBody(BodySubscriber<T> downstream, TimeSource time, Optional<Duration> remaining) {
        this.downstream = downstream;
        this.time = time;
        this.remaining = remaining;
        this.startNanos = time.nanoTime();
        this.countdown = new Countdown(time, () -> cut(new HttpTimeoutException("the body took too long")));
    }

    private void bodyIsThere(@Nullable T value, @Nullable Throwable error) {
        if (error == null) {
            body.complete(value);
        } else {
            Throwable cause = error.getCause();
            body.completeExceptionally(error instanceof CompletionException && cause != null ? cause : error);
        }
    }

    /** From now on the body is cut when its time is over. */
    void limit() {
        remaining.ifPresent(limit -> countdown.beginIn(limit.toNanos() - (time.nanoTime() - startNanos)));
    }

    /** Cuts the body, unless it has ended. */
    void cut(Throwable reason) {
        boolean tellNow;
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            hasEnded = true;
            cut = reason;
            tellNow = isSubscribed && calls == 0;
        }
        countdown.stop();
        Subscription present = upstream;
        if (present != null) {
            present.cancel();
        }
        if (tellNow) {
            downstream.onError(reason);
        }
        body.completeExceptionally(reason);
    }

    /** Asks the subscriber, once. That may take as long as the body: a mapping may read it as a stream. */
    @Override
    public CompletableFuture<T> getBody() {
        if (!isAsked.getAndSet(true)) {
            var unused = downstream.getBody().whenComplete(this::bodyIsThere);
        }
        return body;
    }

    /** The same, but the subscriber is asked elsewhere, and if it throws then that is what the body ends in. */
    CompletableFuture<T> getBodyOn(Executor elsewhere) {
        elsewhere.execute(() -> {
            try {
                var unused = getBody();
            } catch (Throwable bug) {
                cut(bug);
                body.completeExceptionally(bug);
            }
        });
        return body;
    }

    /** Ends the limit as soon as the body is there, though it may be a stream that is still to be read. */
    void limitUntilBodyIsThere() {
        limit();
        var unused = body.whenComplete((value, error) -> countdown.stop());
    }

    // ---- what the connection says

    @Override
    public void onSubscribe(Subscription subscription) {
        boolean isCut;
        synchronized (this) {
            upstream = subscription;
            isSubscribed = true;
            calls++;
            isCut = cut != null;
        }
        if (isCut) {
            subscription.cancel();
        }
        try {
            downstream.onSubscribe(this);
        } catch (Throwable bug) {
            // Where the transport calls this, nobody else would end the body.
            cut(bug);
            throw bug;
        } finally {
            leave();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            calls++;
        }
        try {
            downstream.onNext(item);
        } finally {
            leave();
        }
    }

    /** Whoever leaves last tells of the cut. */
    private void leave() {
        Throwable reason;
        synchronized (this) {
            calls--;
            reason = calls == 0 ? cut : null;
        }
        if (reason != null) {
            downstream.onError(reason);
        }
    }

    @Override
    public void onError(Throwable throwable) {
        if (ends()) {
            downstream.onError(throwable);
        }
    }

    @Override
    public void onComplete() {
        if (ends()) {
            downstream.onComplete();
        }
    }

    private boolean ends() {
        synchronized (this) {
            if (hasEnded) {
                return false;
            }
            hasEnded = true;
        }
        countdown.stop();
        return true;
    }

    // ---- what the subscriber says

    @Override
    public void request(long n) {
        Subscription present = upstream;
        if (present != null) {
            present.request(n);
        }
    }

    @Override
    public void cancel() {
        countdown.stop();
        Subscription present = upstream;
        if (present != null) {
            present.cancel();
        }
    }
}
