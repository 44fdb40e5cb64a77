package dev.recloser.gateway.admin;

import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.gateway.config.HostPort;
import dev.recloser.time.TimeSource;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which request gets which answer: the admin server without the network. */
final class Endpoints {

    private static final String LISTING = """
            recloser admin

            GET  /healthz                      200 while the gateway is alive
            GET  /readyz                       200 when it takes traffic, 503 when it is going down
            GET  /circuits                     all circuits: state, counts, settings; times in seconds
            GET  /circuits/{cluster}           one of them
            POST /circuits/{cluster}/isolate   reject every call until somebody closes the circuit
            POST /circuits/{cluster}/close     close the circuit and forget what was counted

            clusters: %s
            """;

    private final Map<String, Observed> circuits = new LinkedHashMap<>();
    private final BooleanSupplier draining;
    private final String host;

    /**
     * The endpoints of one server.
     *
     * @param host the host of the server's address, as configured
     */
    Endpoints(List<Circuit> circuits, BooleanSupplier draining, String host, TimeSource time) {
        circuits.forEach(circuit -> this.circuits.put(circuit.cluster().name(), new Observed(circuit, time)));
        this.draining = draining;
        this.host = host;
    }

    /**
     * Answers one request.
     *
     * @param port the port that it came to
     */
    Reply answer(FullHttpRequest request, int port) {
        String path = new QueryStringDecoder(request.uri()).rawPath();
        return switch (path) {
            case "/" -> get(request, Reply.text(HttpResponseStatus.OK, LISTING.formatted(names())));
            case "/healthz" -> get(request, Reply.text(HttpResponseStatus.OK, "alive\n"));
            case "/readyz" -> get(request, readiness());
            case "/circuits" ->
                get(
                        request,
                        Reply.json(Json.circuits(
                                circuits.values().stream().map(Observed::look).toList())));
            default -> path.startsWith("/circuits/") ? circuit(request, port, path.split("/", -1)) : unknown(path);
        };
    }

    private Reply readiness() {
        return draining.getAsBoolean()
                ? Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "going down\n")
                : Reply.text(HttpResponseStatus.OK, "ready\n");
    }

    /** The parts are those of {@code /circuits/{cluster}/{action}}, an empty one first. */
    private Reply circuit(FullHttpRequest request, int port, String[] parts) {
        Observed circuit = circuits.get(parts[2]);
        if (circuit == null) {
            return Reply.problem(
                    HttpResponseStatus.NOT_FOUND,
                    "there is no cluster '" + parts[2] + "'; the clusters are " + names());
        } else if (parts.length == 3) {
            return get(request, show(circuit));
        }
        Consumer<CircuitBreaker> action = parts.length == 4 ? action(parts[3]) : null;
        return action == null ? unknown(String.join("/", parts)) : change(request, port, circuit, action);
    }

    private static @Nullable Consumer<CircuitBreaker> action(String name) {
        return switch (name) {
            case "isolate" -> CircuitBreaker::isolate;
            case "close" -> CircuitBreaker::close;
            default -> null;
        };
    }

    private Reply change(FullHttpRequest request, int port, Observed circuit, Consumer<CircuitBreaker> action) {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        if (!request.method().equals(HttpMethod.POST)) {
            return notAllowed(request, "POST");
        } else if (origin != null && !origins(port).contains(origin)) {
            return Reply.problem(HttpResponseStatus.FORBIDDEN, "a page of " + origin + " may not change circuits");
        }
        action.accept(circuit.breaker());
        return show(circuit);
    }

    /** The origins of pages that this server itself might have given to a browser, which may change something. */
    private Set<String> origins(int port) {
        return Set.copyOf(List.of(
                "http://" + new HostPort(host, port),
                "http://localhost:" + port,
                "http://127.0.0.1:" + port,
                "http://[::1]:" + port));
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
        return circuits.keySet().stream().collect(Collectors.joining(", "));
    }
}
