package dev.recloser.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Makes the spans of requests, by OpenTelemetry's conventions for HTTP clients, and hands traces on. */
final class ClientSpans {

    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> METHOD_ORIGINAL = AttributeKey.stringKey("http.request.method_original");
    private static final AttributeKey<Long> RESENDS = AttributeKey.longKey("http.request.resend_count");
    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
    private static final AttributeKey<String> URL = AttributeKey.stringKey("url.full");

    /** Any other one is called so, that there be no unbounded number of them. */
    private static final String OTHER_METHOD = "_OTHER";

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY");
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    ClientSpans(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer(RecloserTelemetry.SCOPE);
        this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
    }

    /** The span of a request that begins, a child of the current one. */
    ClientSpan start(HttpRequest request) {
        Context parent = Context.current();
        String method = request.method();
        boolean isKnown = METHODS.contains(method);
        URI uri = request.uri();
        SpanBuilder span = tracer.spanBuilder(isKnown ? method : "HTTP")
                .setParent(parent)
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(METHOD, isKnown ? method : OTHER_METHOD)
                .setAttribute(URL, SafeUrl.of(uri))
                .setAttribute(PORT, (long) portOf(uri));
        if (!isKnown) {
            span.setAttribute(METHOD_ORIGINAL, method);
        }
        if (uri.getHost() != null) {
            span.setAttribute(ADDRESS, uri.getHost());
        }
        int resends = RecloserTelemetry.attemptsBefore(parent);
        if (resends > 0) {
            span.setAttribute(RESENDS, (long) resends);
        }
        return new ClientSpan(span.startSpan(), parent);
    }

    private static int portOf(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return "http".equalsIgnoreCase(uri.getScheme()) ? HTTP_PORT : HTTPS_PORT;
    }

    /** The request with the headers that hand the trace on. */
    HttpRequest propagating(HttpRequest request, Context context) {
        Map<String, String> headers = new LinkedHashMap<>();
        propagator.inject(context, headers, (carrier, name, value) -> {
            if (carrier != null) {
                carrier.put(name, value);
            }
        });
        if (headers.isEmpty()) {
            return request;
        }
        HttpRequest.Builder changed = HttpRequest.newBuilder(request, (name, value) -> true);
        headers.forEach(changed::setHeader);
        return changed.build();
    }
}
