package dev.recloser.http;

import java.lang.System.Logger;
import java.net.http.HttpResponse;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Gets rid of responses that nobody will see, so that their connections are used again or closed. */
final class Leftovers {

    private static final Logger LOG = System.getLogger("dev.recloser.http");

    private Leftovers() {}

    /** Whether something is to be done if nobody sees the response. */
    static boolean needsDiscarding(HttpResponse<?> response) {
        Object body = response.body();
        return body instanceof HeldBody || body instanceof AutoCloseable || body instanceof Flow.Publisher;
    }

    /** Discards a response, or nothing if it is something else. */
    static void discard(@Nullable Object leftover) {
        Object body = bodyOf(leftover);
        try {
            if (body instanceof HeldBody held) {
                held.discard();
            } else if (body instanceof AutoCloseable closeable) {
                closeable.close();
            } else if (body instanceof Flow.Publisher<?> publisher) {
                publisher.subscribe(new Cancelling());
            }
        } catch (Throwable error) {
            // The body may be of a class of the caller's. The call goes on.
            LOG.log(Logger.Level.DEBUG, "the body of a discarded response could not be closed", error);
        }
    }

    /** The body of a response; what is none is a body itself. */
    static @Nullable Object bodyOf(@Nullable Object leftover) {
        return leftover instanceof HttpResponse<?> response ? response.body() : leftover;
    }

    /** Wants nothing. */
    private static final class Cancelling implements Flow.Subscriber<Object> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(Object item) {}

        @Override
        public void onError(Throwable throwable) {}

        @Override
        public void onComplete() {}
    }
}
