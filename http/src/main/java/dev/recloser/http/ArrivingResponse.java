package dev.recloser.http;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/**
 * The response of an attempt over stages: handed over after the attempt has seen it, which what hangs on the transport's own future in another
 * way might be called before. Cancelling it cancels the exchange.
 */
final class ArrivingResponse extends CompletableFuture<HttpResponse<?>> {

    private final CompletableFuture<HttpResponse<Object>> sent;

    ArrivingResponse(CompletableFuture<HttpResponse<Object>> sent, Attempt<?> attempt) {
        this.sent = sent;
        var unused = sent.whenComplete((response, error) -> {
            if (error != null) {
                completeExceptionally(error);
                return;
            }
            try {
                attempt.arrived(response);
                complete(response);
            } catch (Throwable bug) {
                completeExceptionally(bug);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        sent.cancel(true);
        return isCancelled;
    }
}
