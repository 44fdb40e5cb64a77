package dev.recloser.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@code sendAsync} returns. Whoever ends it from outside, by cancelling it or in any other way such as {@code orTimeout}, thereby
 * cancels the exchange; and as with the JDK's client, whoever cancels a future that was derived from it.
 *
 * @param <T> what it ends in
 */
final class ResponseFuture<T> extends CompletableFuture<T> {

    private final Exchange<?> exchange;
    private final boolean isDerived;

    ResponseFuture(Exchange<?> exchange) {
        this(exchange, false);
    }

    private ResponseFuture(Exchange<?> exchange, boolean isDerived) {
        this.exchange = exchange;
        this.isDerived = isDerived;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new ResponseFuture<>(exchange, true);
    }

    /** Ends it from inside. */
    void end(@Nullable T value, @Nullable Throwable error) {
        if (error == null) {
            super.complete(value);
        } else {
            super.completeExceptionally(error);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return isCancelled();
        }
        if (mayInterruptIfRunning || !isDerived) {
            exchange.cancel();
        }
        super.cancel(mayInterruptIfRunning);
        return isCancelled();
    }

    @Override
    public boolean complete(T value) {
        return cancelExchangeIf(super.complete(value));
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor on) {
        on.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable error) {
                completeExceptionally(error);
            }
        });
        return this;
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return cancelExchangeIf(super.completeExceptionally(error));
    }

    private boolean cancelExchangeIf(boolean endedFromOutside) {
        if (endedFromOutside && !isDerived) {
            exchange.cancel();
        }
        return endedFromOutside;
    }
}
