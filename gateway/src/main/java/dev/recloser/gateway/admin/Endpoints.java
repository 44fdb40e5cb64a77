package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.metrics.Exposition;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which request gets which answer: the admin server without the network. */
final class Endpoints {

    private static final String LISTING = """
            recloser admin

            GET  /                             the dashboard, for a browser; this text for others
            GET  /events                       what feeds it: server-sent events
            GET  /healthz                      200 while the gateway is alive
            GET  /readyz                       200 when it takes traffic, 503 when it is going down
            GET  /metrics                      all metrics, as Prometheus reads them
            GET  /circuits                     all circuits: state, counts, settings; times in seconds
            GET  /circuits/{cluster}           one of them
            POST /circuits/{cluster}/isolate   reject every call until somebody closes the circuit
            POST /circuits/{cluster}/close     close the circuit and forget what was counted

            With a token in the configuration, POST needs Authorization: Bearer TOKEN.

            clusters: %s
            """;

    private static final String ASSETS = "/dashboard/";

    private final Circuits circuits;
    private final Assets assets = new Assets();
    private final EventStreams streams;
    private final BooleanSupplier draining;
    private final Permission permission;
    private final Function<String, Exposition> metrics;

    /**
     * The endpoints of one server.
     *
     * @param permission who may change circuits
     * @param metrics all metrics, in a format that an {@code Accept} header takes
     */
    Endpoints(
            Circuits circuits,
            EventStreams streams,
            BooleanSupplier draining,
            Permission permission,
            Function<String, Exposition> metrics) {
        this.circuits = circuits;
        this.streams = streams;
        this.draining = draining;
        this.permission = permission;
        this.metrics = metrics;
    }

    /** Answers one request. */
    Reply answer(FullHttpRequest request) {
        circuits.refresh();
        String path = new QueryStringDecoder(request.uri()).rawPath();
        return switch (path) {
            case "/" -> get(request, root(request));
            case "/events" -> get(request, events());
            case "/healthz" -> get(request, Reply.text(HttpResponseStatus.OK, "alive\n"));
            case "/readyz" -> get(request, readiness());
            case "/metrics" -> get(request, metrics(request));
            case "/circuits" ->
                get(
                        request,
                        Reply.json(Json.circuits(circuits.byName().values().stream()
                                .map(Observed::look)
                                .toList())));
            default -> path.startsWith("/circuits/") ? circuit(request, path.split("/", -1)) : asset(request, path);
        };
    }

    /** A browser gets the dashboard, everybody else the list of what there is. */
    private Reply root(FullHttpRequest request) {
        Reply reply = Accepted.isHtml(request.headers().getAll(HttpHeaderNames.ACCEPT))
                ? assets.find(Assets.PAGE, request).orElseThrow()
                : Reply.text(HttpResponseStatus.OK, LISTING.formatted(names()));
        return reply.with("Vary", "Accept");
    }

    private Reply asset(FullHttpRequest request, String path) {
        return path.startsWith(ASSETS)
                ? assets.find(path.substring(ASSETS.length()), request)
                        .map(asset -> get(request, asset))
                        .orElseGet(() -> unknown(path))
                : unknown(path);
    }

    private Reply events() {
        return streams.isFull()
                ? Reply.problem(
                                HttpResponseStatus.SERVICE_UNAVAILABLE,
                                EventStreams.MOST + " streams of events are open already, which is the limit")
                        .with("Retry-After", "10")
                : Reply.events();
    }

    private Reply metrics(FullHttpRequest request) {
        Exposition all = metrics.apply(String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT)));
        return new Reply(HttpResponseStatus.OK, all.contentType(), all.text(), Map.of());
    }

    private Reply readiness() {
        return draining.getAsBoolean()
                ? Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "going down\n")
                : Reply.text(HttpResponseStatus.OK, "ready\n");
    }

    /** The parts are those of {@code /circuits/{cluster}/{action}}, an empty one first. */
    private Reply circuit(FullHttpRequest request, String[] parts) {
        Observed circuit = circuits.find(parts[2]);
        if (circuit == null) {
            return Reply.problem(
                    HttpResponseStatus.NOT_FOUND,
                    "there is no cluster '" + parts[2] + "'; the clusters are " + names());
        } else if (parts.length == 3) {
            return get(request, show(circuit));
        }
        Consumer<CircuitBreaker> action = parts.length == 4 ? action(parts[3]) : null;
        return action == null ? unknown(String.join("/", parts)) : change(request, circuit, action);
    }

    private static @Nullable Consumer<CircuitBreaker> action(String name) {
        return switch (name) {
            case "isolate" -> CircuitBreaker::isolate;
            case "close" -> CircuitBreaker::close;
            default -> null;
        };
    }

    private Reply change(FullHttpRequest request, Observed circuit, Consumer<CircuitBreaker> action) {
        if (!request.method().equals(HttpMethod.POST)) {
            return notAllowed(request, "POST");
        }
        return permission.refusal(request).orElseGet(() -> {
            action.accept(circuit.breaker());
            return show(circuit);
        });
    }

    private static Reply show(Observed circuit) {
        return Reply.json(Json.circuit(circuit.look()));
    }

    private static Reply get(FullHttpRequest request, Reply reply) {
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        return reads ? reply : notAllowed(request, "GET, HEAD");
    }

    private static Reply notAllowed(FullHttpRequest request, String allowed) {
        return Reply.problem(
                        HttpResponseStatus.METHOD_NOT_ALLOWED, request.method() + " is not served here; use " + allowed)
                .with("Allow", allowed);
    }

    private static Reply unknown(String path) {
        return Reply.problem(HttpResponseStatus.NOT_FOUND, "there is nothing at " + path + "; see / for what there is");
    }

    private String names() {
        return circuits.byName().keySet().stream().collect(Collectors.joining(", "));
    }
}
