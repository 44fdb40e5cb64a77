package dev.recloser.http;

import dev.recloser.Classifier;
import dev.recloser.retry.DelayFunction;
import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.CancelledKeyException;
import java.util.Optional;

/**
 * What the outcomes of HTTP requests mean to a retry and to a circuit breaker.
 *
 * <table>
 * <caption>outcomes</caption>
 * <tr><th>outcome</th><th>is</th></tr>
 * <tr><td>any {@link IOException}: no address, no connection, TLS, a broken transport, a timeout</td><td>a failure</td></tr>
 * <tr><td>a timeout of a strategy</td><td>a failure</td></tr>
 * <tr><td>status 408, 429, 5xx but 501 and 505</td><td>a failure</td></tr>
 * <tr><td>any other status, such as 404</td><td>a success: the server answered</td></tr>
 * <tr><td>cancellation, interrupt, a rejection, any other exception, such as {@link IllegalArgumentException}</td><td>ignored</td></tr>
 * </table>
 *
 * <p>All methods are thread-safe.
 */
public final class HttpOutcomes {

    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int VERSION_NOT_SUPPORTED = 505;

    private static final Classifier<HttpResponse<?>> TRANSIENT_FAILURES = Classifier.<HttpResponse<?>>defaults()
            .handle(IOException.class)
            .handle(UncheckedIOException.class)
            .ignoreWhen("bugs of body handlers", HttpOutcomes::isBugOfHandler)
            .handleResult(
                    "status 408, 429, 5xx but 501 and 505",
                    response -> response != null && isTransient(response.statusCode()));

    /** The transport says so in an exception of exactly this class; one of a subclass means that there was no connection in time. */
    private static final Classifier<HttpResponse<?>> WORTH_ANOTHER_ATTEMPT = TRANSIENT_FAILURES.ignoreWhen(
            "the timeout of the request", error -> error.getClass() == HttpTimeoutException.class);

    private HttpOutcomes() {}

    /** The classifier of the table above: what may well succeed the next time is a failure. */
    public static Classifier<HttpResponse<?>> transientFailures() {
        return TRANSIENT_FAILURES;
    }

    /** The same for what repeats a request: none follows when the timeout of the request itself is over, since it bounds all attempts together. */
    public static Classifier<HttpResponse<?>> worthAnotherAttempt() {
        return WORTH_ANOTHER_ATTEMPT;
    }

    /**
     * Whether a status says that the same request may well succeed the next time: 408, 429, and 500 to 599 but 501 and 505.
     *
     * @param status the status code
     */
    public static boolean isTransient(int status) {
        return status >= 500
                ? status < 600 && status != NOT_IMPLEMENTED && status != VERSION_NOT_SUPPORTED
                : status == TOO_MANY_REQUESTS || status == REQUEST_TIMEOUT;
    }

    /**
     * Reads from the {@code Retry-After} of a response how long the server asks to wait: seconds, or a date. A date is taken relative to the
     * {@code Date} of the same response, so that a clock that is wrong on either side does no harm; without one, relative to the clock of
     * this machine. A date that is past means no wait. Empty where there is no such header, or none that can be read.
     */
    public static DelayFunction<HttpResponse<?>> retryAfter() {
        return retryAfter(TimeSource.system());
    }

    static DelayFunction<HttpResponse<?>> retryAfter(TimeSource time) {
        return (response, error) ->
                response == null ? Optional.empty() : RetryAfter.read(response.headers(), time::instant);
    }

    /** The JDK's {@code send} throws what a body handler has thrown as the cause of a plain IOException. */
    private static boolean isBugOfHandler(Throwable error) {
        return error.getClass() == IOException.class
                && error.getCause() instanceof RuntimeException cause
                && !(cause instanceof UncheckedIOException)
                && !(cause instanceof CancelledKeyException);
    }
}
