package dev.recloser.http;

import dev.recloser.spi.SettingsCheck;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** What clients with pipelines have in common: how requests begin and end, and the end of the client itself. */
abstract class PipelinedHttpClient extends HttpClient implements AutoCloseable {

    private final String name;
    private final Transport transport;
    private final RunningCalls calls;
    private final Requests requests;

    /**
     * A client.
     *
     * @param name what it is called
     * @param transport what its requests go through
     * @param repeatability which of them may be sent more than once
     * @param isOwnTransport whether the transport is shut down with it
     */
    PipelinedHttpClient(String name, Transport transport, Repeatability repeatability, boolean isOwnTransport) {
        this.name = name;
        this.transport = transport;
        this.calls = new RunningCalls(name, transport.client(), isOwnTransport);
        this.requests = new Requests(this, repeatability, calls);
    }

    /** Refuses a transport that has pipelines itself. */
    static void checkTransport(SettingsCheck check, String name, @Nullable HttpClient transport) {
        if (transport instanceof PipelinedHttpClient inner) {
            check.require(
                    false,
                    "around",
                    "the client " + inner.name(),
                    "a client without pipelines of its own, since attempts of " + name + " and " + inner.name()
                            + " would multiply; or say allowSecondLayer()");
        }
    }

    /** The partition of a request, {@linkplain Partition#enter entered}. */
    abstract Partition enter(HttpRequest request);

    /** A request that begins. */
    <T> Exchange<T> exchange(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
        return new Exchange<>(transport, request, handler, pushes);
    }

    final Transport transport() {
        return transport;
    }

    /** What it is called. */
    public final String name() {
        return name;
    }

    // ---- requests

    /**
     * Sends a request, and again if that is called for, and waits for the response.
     *
     * @throws java.net.http.HttpTimeoutException when a timeout is over
     * @throws RequestRejectedException when a strategy rejects the request: its circuit is open, a limit is reached
     * @throws IOException when it fails, or the client has been shut down
     * @throws InterruptedException when the thread is interrupted; the exchange is then cancelled
     * @throws IllegalArgumentException when the request is not one that can be sent
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        requireNonNull(request, handler);
        return requests.send(request, handler);
    }

    /**
     * Sends a request, and again if that is called for. Never blocks; all that goes wrong is in the future, as {@link #send} throws it.
     * Cancelling the future, or completing it from outside as {@code orTimeout} does, cancels the exchange.
     */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        return sendAsync(request, handler, null);
    }

    /** The same, with a handler for what the server pushes. It gets the pushes of each attempt. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
        requireNonNull(request, handler);
        return requests.sendAsync(request, handler, pushes);
    }

    private static void requireNonNull(HttpRequest request, HttpResponse.BodyHandler<?> handler) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(handler, "handler");
    }

    /** A builder of web sockets over the same transport. No pipeline stands around them, and their address is taken as it is. */
    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return transport.client().newWebSocketBuilder();
    }

    // ---- the end

    /**
     * Lets no new request in: from now on sending one fails with an {@link IOException}. Those under way run to their end, with their retries.
     * Then the transport is shut down too, if the client has made it itself and the JDK is 21 or newer. Returns at once.
     */
    public void shutdown() {
        calls.shutdown();
    }

    /**
     * The same, and cancels the requests that are under way: they fail with an {@link IOException}. On a JDK before 21 a body that is being
     * streamed goes on.
     */
    public void shutdownNow() {
        calls.shutdownNow();
    }

    /**
     * Waits for the end of what is under way, after a shutdown.
     *
     * @param longest how long at most
     * @return whether it has ended
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    public boolean awaitTermination(Duration longest) throws InterruptedException {
        return calls.awaitTermination(Objects.requireNonNull(longest, "longest"));
    }

    /** Whether the client has been shut down and nothing is under way any more. */
    public boolean isTerminated() {
        return calls.isTerminated();
    }

    /** Shuts down, and waits for what is under way. If the thread is interrupted meanwhile, that is cancelled. */
    @Override
    public void close() {
        calls.close();
    }

    // ---- the settings of the transport

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return transport.client().cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return transport.client().connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return transport.client().followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return transport.client().proxy();
    }

    @Override
    public SSLContext sslContext() {
        return transport.client().sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return transport.client().sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return transport.client().authenticator();
    }

    @Override
    public Version version() {
        return transport.client().version();
    }

    @Override
    public Optional<Executor> executor() {
        return transport.client().executor();
    }
}
