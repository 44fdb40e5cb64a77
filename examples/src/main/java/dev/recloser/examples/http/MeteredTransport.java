package dev.recloser.examples.http;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A client that counts, put between Recloser's client and the JDK's: what comes through here has a permit of the limiter, and was
 * admitted by the circuit. Blocking calls only, since of those it is exactly known when they have ended. Thread-safe.
 */
final class MeteredTransport extends HttpClient {

    private final HttpClient client;
    private final AtomicLong attempts = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostLately = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    MeteredTransport(HttpClient client) {
        this.client = client;
    }

    /** How many attempts have begun so far. */
    long attempts() {
        return attempts.get();
    }

    /** How many attempts there were at a time, at most. */
    int mostInFlight() {
        return most.get();
    }

    /** The same since this was asked before. */
    int mostLately() {
        return mostLately.getAndSet(inFlight.get());
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        attempts.incrementAndGet();
        int now = inFlight.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        mostLately.accumulateAndGet(now, Math::max);
        try {
            return client.send(request, handler);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        throw new UnsupportedOperationException("only blocking calls are metered");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        throw new UnsupportedOperationException("only blocking calls are metered");
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
