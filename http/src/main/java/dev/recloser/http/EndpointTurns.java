package dev.recloser.http;

import dev.recloser.CircuitOpenException;
import dev.recloser.RejectedException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which endpoint the next attempt of one request goes to, and what has become of the attempts before. Attempts may run beside each
 * other, so all is guarded by this object's lock.
 */
final class EndpointTurns {

    /** What rejects a request for which no circuit is closed. */
    static final String ENDPOINTS = "endpoints";

    private final List<Endpoint> order;
    private int next;
    private final List<RejectedException> passedOver = new ArrayList<>(0);
    private @Nullable RejectedException nobody;
    private @Nullable Throwable lastError;
    private @Nullable HttpResponse<?> lastResponse;

    EndpointTurns(List<Endpoint> order) {
        this.order = order;
    }

    /** The endpoint whose turn it is; null if all have had theirs. */
    synchronized @Nullable Endpoint next() {
        return next < order.size() ? order.get(next++) : null;
    }

    /** The circuit of an endpoint did not let the request in. */
    synchronized void passedOver(RejectedException rejection) {
        passedOver.add(rejection);
    }

    /** An endpoint has answered. */
    synchronized void answered(HttpResponse<?> response) {
        lastResponse = response;
        lastError = null;
    }

    /** An attempt has failed. */
    synchronized void failed(Throwable error) {
        lastError = error;
        lastResponse = null;
    }

    /**
     * The rejection of an attempt that has no endpoint to go to: says when the first of those that were passed over can be tried again.
     *
     * @param client the name of the client
     */
    synchronized RejectedException nobody(String client) {
        if (nobody == null) {
            nobody = soonest(client);
        }
        return nobody;
    }

    private RejectedException soonest(String client) {
        Optional<RejectedException> soonest = passedOver.stream()
                .filter(rejection -> rejection.retryAfter().isPresent())
                .min(Comparator.comparing(rejection -> rejection.retryAfter().orElse(Duration.ZERO)));
        if (soonest.isEmpty() && !passedOver.isEmpty()) {
            // Somebody has isolated them all, or as good as all.
            return passedOver.get(0);
        }
        long wait = soonest.flatMap(RejectedException::retryAfter)
                .map(Duration::toNanos)
                .orElse(RejectedException.UNKNOWN);
        return new CircuitOpenException(client, ENDPOINTS, wait, soonest.orElse(null));
    }

    /** Whether this is the rejection of an attempt that had no endpoint to go to. */
    synchronized boolean isNobody(Throwable error) {
        return error == nobody;
    }

    /** The answer to the last attempt that went somewhere, if there was one; to be had once. */
    synchronized @Nullable HttpResponse<?> takeLastResponse() {
        HttpResponse<?> taken = lastResponse;
        lastResponse = null;
        return taken;
    }

    /** What the last attempt failed with that went somewhere, if it did. */
    synchronized @Nullable Throwable lastError() {
        return lastError;
    }
}
