package dev.recloser.http;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Says whether a request may be sent more than once: it must be allowed to, and its body must be there each time. */
final class Repeatability {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final String PUBLISHERS = "jdk.internal.net.http.RequestPublishers$";

    /** Those of the JDK's publishers that can be subscribed to again. By name, since one of a file cannot be made without a file. */
    private static final Set<String> REPLAYABLE = Set.of(
            PUBLISHERS + "EmptyPublisher",
            PUBLISHERS + "StringPublisher",
            PUBLISHERS + "ByteArrayPublisher",
            PUBLISHERS + "IterablePublisher",
            PUBLISHERS + "FilePublisher");

    private final Predicate<HttpRequest> saidToBeSafe;

    /** Also takes the requests for safe that the predicate accepts. */
    Repeatability(Predicate<HttpRequest> saidToBeSafe) {
        this.saidToBeSafe = saidToBeSafe;
    }

    boolean isRepeatable(HttpRequest request) {
        Optional<BodyPublisher> body = request.bodyPublisher();
        return (body.isEmpty() || isReplayable(body.get())) && isSafe(request);
    }

    private boolean isSafe(HttpRequest request) {
        return switch (request.method()) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> true;
            default -> request.headers().firstValue(IDEMPOTENCY_KEY).isPresent() || saidToBeSafe.test(request);
        };
    }

    private static boolean isReplayable(BodyPublisher body) {
        return body instanceof ReplayableBody
                || REPLAYABLE.contains(body.getClass().getName());
    }
}
