package dev.recloser.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.lang.System.Logger;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The span of one request. The first end counts. Thread-safe. */
final class ClientSpan {

    private static final Logger LOG = System.getLogger("dev.recloser.opentelemetry");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> VERSION = AttributeKey.stringKey("network.protocol.version");
    private static final int FIRST_ERROR = 400;

    private final Span span;
    private final Context context;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * A span that has begun.
     *
     * @param parent the context of the request
     */
    ClientSpan(Span span, Context parent) {
        this.span = span;
        this.context = parent.with(span);
    }

    /** The context of what happens within it. */
    Context context() {
        return context;
    }

    /** Ends it with a response, or with an error. Where that fails the request goes on, and a line is logged. */
    void end(@Nullable HttpResponse<?> response, @Nullable Throwable error) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        try {
            describe(response, error);
        } catch (RuntimeException failure) {
            LOG.log(Logger.Level.WARNING, "the end of a request could not be told to its span", failure);
        }
        try {
            span.end();
        } catch (RuntimeException failure) {
            LOG.log(Logger.Level.WARNING, "the span of a request could not be ended", failure);
        }
    }

    private void describe(@Nullable HttpResponse<?> response, @Nullable Throwable error) {
        if (response != null) {
            answered(response);
        }
        if (error != null) {
            span.setAttribute(EventText.ERROR_TYPE, EventText.type(error));
            span.setStatus(StatusCode.ERROR);
        }
    }

    private void answered(HttpResponse<?> response) {
        int status = response.statusCode();
        span.setAttribute(STATUS, (long) status);
        if (status >= FIRST_ERROR) {
            span.setAttribute(EventText.ERROR_TYPE, Integer.toString(status));
            span.setStatus(StatusCode.ERROR);
        }
        span.setAttribute(VERSION, versionOf(response));
    }

    /** As {@code HTTP_1_1} is 1.1, and {@code HTTP_2} is 2. */
    private static String versionOf(HttpResponse<?> response) {
        return response.version().name().replace("HTTP_", "").replace('_', '.');
    }
}
