package dev.recloser.http;

import dev.recloser.CallContext;
import dev.recloser.RejectedException;
import dev.recloser.TimedOutException;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request that can go to several endpoints. Each attempt goes to the next one in order whose circuit lets it in; to be let in nowhere
 * ends the attempts, and the caller gets what the last one came to that went somewhere, or else the rejection.
 *
 * @param <T> what the caller's handler makes of the body
 */
final class EndpointExchange<T> extends Exchange<T> {

    private final String client;
    private final HttpRequest request;
    private final EndpointTurns turns;
    private final boolean isHedged;

    EndpointExchange(
            EndpointHttpClient client,
            HttpRequest request,
            BodyHandler<T> handler,
            @Nullable PushPromiseHandler<T> pushes) {
        super(client.transport(), request, handler, pushes);
        this.client = client.name();
        this.request = request;
        this.turns = new EndpointTurns(client.order());
        this.isHedged = client.isHedged();
    }

    @Override
    HttpResponse<?> attempt(CallContext context) throws IOException, InterruptedException {
        for (Endpoint endpoint = turns.next(); endpoint != null; endpoint = turns.next()) {
            Visit visit = new Visit(endpoint, context);
            try {
                HttpResponse<?> response = endpoint.pipeline().call(visit::send);
                turns.answered(response);
                return response;
            } catch (RejectedException rejection) {
                if (visit.hasBegun || rejection instanceof TimedOutException) {
                    turns.failed(rejection);
                    throw rejection;
                }
                turns.passedOver(rejection);
            } catch (IOException failure) {
                turns.failed(failure);
                throw failure;
            }
        }
        throw turns.nobody(client);
    }

    @Override
    CompletionStage<HttpResponse<?>> attemptAsync(CallContext context) {
        for (Endpoint endpoint = turns.next(); endpoint != null; endpoint = turns.next()) {
            Visit visit = new Visit(endpoint, context);
            CompletableFuture<HttpResponse<?>> sent = endpoint.pipeline().callAsync(visit::sendAsync);
            if (visit.hasBegun || !isPassedOver(sent)) {
                // What is returned does not pass a cancellation on.
                context.onCancel(() -> sent.cancel(true));
                return sent.whenComplete(this::note);
            }
        }
        throw turns.nobody(client);
    }

    /** Whether the circuit has rejected the attempt, which it does at once or never. */
    private boolean isPassedOver(CompletableFuture<HttpResponse<?>> sent) {
        if (!sent.isCompletedExceptionally()) {
            return false;
        }
        Throwable error = sent.handle((response, thrown) -> thrown).join();
        if (error instanceof RejectedException rejection && !(error instanceof TimedOutException)) {
            turns.passedOver(rejection);
            return true;
        }
        return false;
    }

    private void note(@Nullable HttpResponse<?> response, @Nullable Throwable error) {
        if (response != null) {
            turns.answered(response);
        } else if (error instanceof RejectedException || error instanceof IOException) {
            turns.failed(error);
        }
    }

    /** An attempt on its way through the pipeline of one endpoint. */
    private final class Visit {

        private final Endpoint endpoint;
        private final CallContext context;

        /** Whether the circuit has let it in. */
        private volatile boolean hasBegun;

        Visit(Endpoint endpoint, CallContext context) {
            this.endpoint = endpoint;
            this.context = context;
        }

        HttpResponse<?> send(CallContext own) throws IOException, InterruptedException {
            begin();
            return sendOnce(endpoint.readdressed(request), new NestedContext(context, own));
        }

        CompletionStage<HttpResponse<?>> sendAsync(CallContext own) {
            begin();
            return sendOnceAsync(endpoint.readdressed(request), new NestedContext(context, own));
        }

        private void begin() {
            hasBegun = true;
            if (!isHedged) {
                // Now it is certain that the answer before is not the last one.
                Leftovers.discard(turns.takeLastResponse());
            }
        }
    }

    /** With hedging also a good one: another attempt may have won, and two must not write to the same file. */
    @Override
    boolean holdsBack(ResponseInfo info, CallContext context) {
        return (isHedged && context.isRepeatable()) || super.holdsBack(info, context);
    }

    // ---- how it ends

    @Override
    @Nullable
    HttpResponse<?> answerInsteadOf(RejectedException rejection) {
        return turns.isNobody(rejection) ? turns.takeLastResponse() : null;
    }

    @Override
    IOException translated(RejectedException rejection) {
        Throwable before = turns.isNobody(rejection) ? turns.lastError() : null;
        if (before instanceof IOException failure) {
            return failure;
        }
        return super.translated(before instanceof RejectedException cut ? cut : rejection);
    }
}
