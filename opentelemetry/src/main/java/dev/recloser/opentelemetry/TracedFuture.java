package dev.recloser.opentelemetry;

import java.net.http.HttpResponse;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * What {@code sendAsync} returns: ends after the span. As with the JDK's client, whoever cancels it or a future that was derived from it
 * cancels the exchange.
 *
 * @param <T> what it ends in
 */
final class TracedFuture<T> extends CompletableFuture<T> {

    private final CompletableFuture<?> exchange;
    private final ClientSpan span;

    private TracedFuture(CompletableFuture<?> exchange, ClientSpan span) {
        this.exchange = exchange;
        this.span = span;
    }

    static <B> CompletableFuture<HttpResponse<B>> of(CompletableFuture<HttpResponse<B>> exchange, ClientSpan span) {
        TracedFuture<HttpResponse<B>> traced = new TracedFuture<>(exchange, span);
        var unused = exchange.whenComplete((response, error) -> {
            try {
                span.end(response, error == null ? null : unwrapped(error));
            } finally {
                if (error == null) {
                    traced.complete(response);
                } else {
                    traced.completeExceptionally(error);
                }
            }
        });
        return traced;
    }

    private static Throwable unwrapped(Throwable error) {
        Throwable cause = error.getCause();
        return error instanceof CompletionException && cause != null ? cause : error;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        // First: the exchange may end in something else because of that, or never.
        span.end(null, new CancellationException());
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        exchange.cancel(mayInterruptIfRunning);
        return isCancelled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new TracedFuture<>(exchange, span);
    }

    @Override
    public Executor defaultExecutor() {
        return exchange.defaultExecutor();
    }
}
