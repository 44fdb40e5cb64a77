package dev.recloser.http;

import dev.recloser.CallContext;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an exchange, as the handler of its response. A response that may be followed by another attempt is held back; any other
 * one goes to the caller's handler.
 */
final class Attempt<T> implements BodyHandler<Object> {

    private final Exchange<T> exchange;
    private final CallContext context;
    private volatile @Nullable BoundedBody<T> bounded;

    Attempt(Exchange<T> exchange, CallContext context) {
        this.exchange = exchange;
        this.context = context;
    }

    @Override
    public BodySubscriber<Object> apply(ResponseInfo info) {
        if (exchange.holdsBack(info, context)) {
            HeldBody held = new HeldBody(exchange.isHead(), info, context.remaining());
            exchange.leftBehindUnlessTaken(held);
            return held;
        }
        BodySubscriber<T> subscriber = exchange.handler().apply(info);
        if (exchange.timeoutsCoverBody()) {
            BoundedBody<T> body = new BoundedBody<>(subscriber, exchange.time(), context.remaining());
            bounded = body;
            subscriber = body;
        }
        return untyped(subscriber);
    }

    /** The response is there; from here on the strategies look no longer at its body. The call may have ended already. */
    void arrived(HttpResponse<?> response) {
        BoundedBody<T> body = bounded;
        if (body != null) {
            body.limit();
        }
        if (Leftovers.needsDiscarding(response)) {
            exchange.leftBehindUnlessTaken(response);
        }
    }

    /** Between here and the caller the body is an object like any other. */
    @SuppressWarnings("unchecked")
    private static <T> BodySubscriber<Object> untyped(BodySubscriber<T> subscriber) {
        return (BodySubscriber<Object>) (BodySubscriber<?>) subscriber;
    }
}
