package dev.recloser.gateway.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer of the admin server.
 *
 * @param status its status
 * @param contentType what the body is
 * @param body the body
 * @param headers further headers
 */
record Reply(HttpResponseStatus status, String contentType, String body, Map<String, String> headers) {

    private static final String EVENTS = "text/event-stream";

    static Reply text(HttpResponseStatus status, String body) {
        return new Reply(status, "text/plain; charset=utf-8", body, Map.of());
    }

    static Reply json(String body) {
        return new Reply(HttpResponseStatus.OK, "application/json", body, Map.of());
    }

    static Reply problem(HttpResponseStatus status, String detail) {
        return new Reply(status, "application/problem+json", Json.problem(status, detail), Map.of());
    }

    /** An answer without end, to which events are added as they happen. */
    static Reply events() {
        return new Reply(HttpResponseStatus.OK, EVENTS, "", Map.of());
    }

    boolean isEvents() {
        return contentType.equals(EVENTS);
    }

    Reply with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Reply(status, contentType, body, more);
    }
}
