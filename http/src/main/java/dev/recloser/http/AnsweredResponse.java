package dev.recloser.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * A response whose body was held back until it was known to be the final answer: all of the original, with the body that the caller's
 * handler has made.
 */
final class AnsweredResponse<T> implements HttpResponse<T> {

    private final HttpResponse<?> original;
    private final T body;

    AnsweredResponse(HttpResponse<?> original, T body) {
        this.original = original;
        this.body = body;
    }

    @Override
    public T body() {
        return body;
    }

    @Override
    public int statusCode() {
        return original.statusCode();
    }

    @Override
    public HttpRequest request() {
        return original.request();
    }

    /** Earlier responses, such as redirects, have no body, so they fit any type. */
    @Override
    @SuppressWarnings("unchecked")
    public Optional<HttpResponse<T>> previousResponse() {
        return original.previousResponse().map(previous -> (HttpResponse<T>) previous);
    }

    @Override
    public HttpHeaders headers() {
        return original.headers();
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return original.sslSession();
    }

    @Override
    public URI uri() {
        return original.uri();
    }

    @Override
    public HttpClient.Version version() {
        return original.version();
    }

    /** Declared by the interface from JDK 25 on. */
    public Optional<String> connectionLabel() {
        return NewerJdk.connectionLabel(original);
    }

    @Override
    public String toString() {
        return original.toString();
    }
}
