package dev.recloser.http;

import dev.recloser.time.Countdown;
import dev.recloser.time.TimeSource;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response that may be followed by another attempt, held back until that is known. Nothing is read of it before. Then it
 * is either handed on, to the subscriber that the caller's handler gives, or discarded: what is left of it is read, so that the
 * connection can be used again, if it is short and comes soon; else it is cancelled.
 *
 * <p>Signals from the connection and the decision come on different threads. Fields are guarded by this object's lock, under which no
 * subscriber is called.
 */
final class HeldBody implements BodySubscriber<Object> {

    /** Of a discarded body as many bytes are read; after them it is cancelled. */
    static final long MOST_DRAINED_BYTES = 64 * 1024;

    /** A discarded body that is not at its end by then is cancelled. */
    static final Duration LONGEST_DRAIN = Duration.ofSeconds(1);

    private enum State {
        HELD,
        HANDED_ON,
        DISCARDED
    }

    private final boolean isForHead;
    private final ResponseInfo info;
    private final Optional<Duration> remaining;

    private volatile State state = State.HELD;
    private volatile @Nullable BodySubscriber<?> downstream;
    private @Nullable Subscription upstream;

    /** Whether the subscriber has its subscription, so that it can be told of the end. */
    private boolean isOpen;

    private long wantedOnOpening;

    private boolean hasEnded;
    private @Nullable Throwable error;

    private long drainedBytes;
    private @Nullable Countdown draining;

    /**
     * The body of a response.
     *
     * @param isForHead whether the request was a HEAD, whose response has no body, whatever length it names
     * @param info what the response began with
     * @param remaining the time that the attempt had left when it came
     */
    HeldBody(boolean isForHead, ResponseInfo info, Optional<Duration> remaining) {
        this.isForHead = isForHead;
        this.info = info;
        this.remaining = remaining;
    }

    ResponseInfo info() {
        return info;
    }

    /** The time for reading it; while it is held back, none passes. */
    Optional<Duration> remaining() {
        return remaining;
    }

    /** Itself, and at once: so the response is handed over as soon as its headers are there. */
    @Override
    public CompletionStage<Object> getBody() {
        return CompletableFuture.completedStage(this);
    }

    // ---- the decision

    /** Lets a subscriber have the body. */
    void handOn(BodySubscriber<?> subscriber) {
        Subscription present;
        synchronized (this) {
            if (state != State.HELD) {
                throw new IllegalStateException("the body of this response has been discarded, or handed on before");
            }
            state = State.HANDED_ON;
            downstream = subscriber;
            present = upstream;
        }
        if (present != null) {
            open(subscriber, present);
        }
    }

    /** Gets rid of the body, unless it has been handed on. */
    void discard() {
        Subscription present;
        synchronized (this) {
            if (state != State.HELD) {
                return;
            }
            state = State.DISCARDED;
            present = upstream;
            if (present == null || hasEnded) {
                return;
            }
        }
        drain(present);
    }

    private void open(BodySubscriber<?> subscriber, Subscription subscription) {
        subscriber.onSubscribe(new Opening(subscription));
        long wanted;
        synchronized (this) {
            isOpen = true;
            wanted = hasEnded ? 0 : wantedOnOpening;
            if (!hasEnded && wanted == 0) {
                return;
            }
        }
        if (wanted > 0) {
            subscription.request(wanted);
        } else {
            end(subscriber);
        }
    }

    /**
     * What the subscriber asks for while it is still being told of its subscription is asked for after that: else the answer could come at
     * once and on another thread, which subscribers need not be ready for.
     */
    private final class Opening implements Subscription {

        private final Subscription subscription;

        Opening(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void request(long n) {
            synchronized (HeldBody.this) {
                if (!isOpen && n > 0) {
                    wantedOnOpening = n > Long.MAX_VALUE - wantedOnOpening ? Long.MAX_VALUE : wantedOnOpening + n;
                    return;
                }
            }
            subscription.request(n);
        }

        @Override
        public void cancel() {
            subscription.cancel();
        }
    }

    private void end(BodySubscriber<?> subscriber) {
        Throwable failure = error;
        if (failure == null) {
            subscriber.onComplete();
        } else {
            subscriber.onError(failure);
        }
    }

    private void drain(Subscription subscription) {
        if (!isForHead && info.headers().firstValueAsLong("Content-Length").orElse(0) > MOST_DRAINED_BYTES) {
            subscription.cancel();
            return;
        }
        // A body comes over a real connection, whatever the time of the strategies is.
        Countdown countdown = new Countdown(TimeSource.system(), subscription::cancel);
        synchronized (this) {
            if (hasEnded) {
                return;
            }
            draining = countdown;
        }
        countdown.beginIn(LONGEST_DRAIN.toNanos());
        subscription.request(1);
    }

    // ---- what the connection says

    @Override
    public void onSubscribe(Subscription subscription) {
        State decided;
        synchronized (this) {
            upstream = subscription;
            decided = state;
        }
        BodySubscriber<?> subscriber = downstream;
        if (decided == State.DISCARDED) {
            drain(subscription);
        } else if (subscriber != null) {
            open(subscriber, subscription);
        }
    }

    /** Nothing comes before it is asked for, and so not before the decision. */
    @Override
    public void onNext(List<ByteBuffer> item) {
        BodySubscriber<?> subscriber = downstream;
        if (subscriber != null) {
            subscriber.onNext(item);
            return;
        }
        Subscription present;
        synchronized (this) {
            for (ByteBuffer buffer : item) {
                drainedBytes += buffer.remaining();
            }
            present = upstream;
        }
        if (present == null) {
            return;
        }
        if (drainedBytes <= MOST_DRAINED_BYTES) {
            present.request(1);
        } else {
            stopDraining();
            present.cancel();
        }
    }

    @Override
    public void onError(Throwable throwable) {
        ended(throwable);
    }

    @Override
    public void onComplete() {
        ended(null);
    }

    private void ended(@Nullable Throwable failure) {
        stopDraining();
        BodySubscriber<?> subscriber;
        synchronized (this) {
            hasEnded = true;
            error = failure;
            if (!isOpen) {
                return;
            }
            subscriber = downstream;
        }
        if (subscriber != null) {
            end(subscriber);
        }
    }

    private void stopDraining() {
        Countdown countdown;
        synchronized (this) {
            countdown = draining;
        }
        if (countdown != null) {
            countdown.stop();
        }
    }
}
