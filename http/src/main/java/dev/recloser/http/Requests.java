package dev.recloser.http;

import dev.recloser.Pipeline;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of a request through its client: it is counted among those under way, enters its partition, and runs in the pipeline there. However
 * it ends, it leaves both before its caller goes on.
 *
 * @param client has the partitions, and knows how an exchange is made
 * @param repeatability says which requests may be sent more than once
 * @param calls those under way
 */
record Requests(PipelinedHttpClient client, Repeatability repeatability, RunningCalls calls) {

    <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) throws IOException, InterruptedException {
        Exchange<T> exchange = client.exchange(request, handler, null);
        exchange.runsHere();
        try {
            // In here: a shutdown may interrupt the thread of a call that is then not let in.
            calls.begin(exchange);
            return send(exchange, request);
        } catch (InterruptedException | RuntimeException error) {
            if (exchange.isCutByShutdown(error)) {
                throw shutDown();
            }
            throw error;
        } finally {
            calls.end(exchange);
            exchange.ended();
        }
    }

    private <T> HttpResponse<T> send(Exchange<T> exchange, HttpRequest request)
            throws IOException, InterruptedException {
        Partition partition = client.enter(request);
        try {
            return exchange.send(pipelineFor(request, partition));
        } finally {
            partition.leave();
        }
    }

    <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        Exchange<T> exchange = client.exchange(request, handler, pushes);
        ResponseFuture<HttpResponse<T>> future = new ResponseFuture<>(exchange);
        try {
            calls.begin(exchange);
        } catch (IOException shutDown) {
            future.end(null, shutDown);
            return future;
        }
        try {
            Partition partition = client.enter(request);
            start(exchange, request, partition, future);
        } catch (Throwable error) {
            calls.end(exchange);
            future.end(null, error);
        }
        return future;
    }

    private <T> void start(
            Exchange<T> exchange, HttpRequest request, Partition partition, ResponseFuture<HttpResponse<T>> future) {
        Pipeline<HttpResponse<?>> pipeline;
        try {
            pipeline = pipelineFor(request, partition);
        } catch (Throwable bug) {
            partition.leave();
            throw bug;
        }
        exchange.sendAsync(pipeline, (response, error) -> {
            // First: who waits for the future may look at what is left of the call.
            partition.leave();
            calls.end(exchange);
            future.end(response, error != null && exchange.isCutByShutdown(error) ? shutDown() : error);
        });
    }

    private Pipeline<HttpResponse<?>> pipelineFor(HttpRequest request, Partition partition) {
        return partition.pipelineFor(request.timeout(), repeatability.isRepeatable(request));
    }

    private IOException shutDown() {
        return new IOException(client.name() + " was shut down while the request was under way");
    }
}
