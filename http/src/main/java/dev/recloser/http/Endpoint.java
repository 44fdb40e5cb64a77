package dev.recloser.http;

import dev.recloser.Pipeline;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * One of the places where a service can be reached.
 *
 * @param base where it is; absolute, with a host, without query and fragment
 * @param weight how large its share of the requests is, beside those of the others
 * @param pipeline its circuit breaker, and inside that the timeout of an attempt
 */
record Endpoint(URI base, int weight, Pipeline<HttpResponse<?>> pipeline) {

    /** The same request, to be sent to this endpoint. */
    HttpRequest readdressed(HttpRequest request) {
        return HttpRequest.newBuilder(request, (name, value) -> true)
                .uri(join(base, request.uri()))
                .build();
    }

    /**
     * The scheme, the authority and the path of the base, followed by the path, the query and the fragment of what is asked for. All are
     * taken as they are written, so that what is encoded stays so.
     */
    static URI join(URI base, URI asked) {
        StringBuilder joined = new StringBuilder()
                .append(base.getScheme())
                .append("://")
                .append(base.getRawAuthority())
                .append(joinPaths(textOf(base.getRawPath()), textOf(asked.getRawPath())));
        if (asked.getRawQuery() != null) {
            joined.append('?').append(asked.getRawQuery());
        }
        if (asked.getRawFragment() != null) {
            joined.append('#').append(asked.getRawFragment());
        }
        return URI.create(joined.toString());
    }

    private static String textOf(String path) {
        return path == null ? "" : path;
    }

    private static String joinPaths(String base, String asked) {
        if (asked.isEmpty()) {
            return base;
        }
        String left = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        return asked.startsWith("/") ? left + asked : left + "/" + asked;
    }
}
