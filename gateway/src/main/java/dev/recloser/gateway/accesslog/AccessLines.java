package dev.recloser.gateway.accesslog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.recloser.gateway.proxy.AccessRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Formats lines of the access log: each is one JSON object, in ASCII alone, so that whatever a client sends can neither end a line nor
 * reach a terminal. A field that has no value is left out. Used by one thread only.
 */
final class AccessLines {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int MICROSECONDS = 6;
    private static final String DELETE = "\u007f"; // the one control character of ASCII that JSON lets through

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void add(AccessRecord request) {
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            write(json, request);
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot fail to be written", e);
        }
        bytes.write('\n');
    }

    /** Ends a line that is there, but not all of it. */
    void endTornLine() {
        bytes.write('\n');
    }

    /** All lines since the last call. */
    ByteBuffer take() {
        ByteBuffer lines = ByteBuffer.wrap(bytes.toByteArray());
        bytes.reset();
        return lines;
    }

    /** Forgets what was added since then. */
    void discard() {
        bytes.reset();
    }

    private static void write(JsonGenerator json, AccessRecord request) throws IOException {
        json.writeStartObject();
        text(json, "time", request.time().truncatedTo(ChronoUnit.MICROS).toString());
        text(json, "client", request.client());
        text(json, "method", request.method());
        text(json, "host", request.host());
        text(json, "path", request.path());
        if (request.status() != 0) {
            json.writeNumberField("status", request.status());
        }
        text(json, "reason", request.reason());
        text(json, "cluster", request.cluster());
        text(json, "destination", request.destination());
        seconds(json, "duration", request.durationNanos());
        seconds(json, "service", request.serviceNanos());
        seconds(json, "overhead", request.overheadNanos());
        json.writeNumberField("request_bytes", request.requestBytes());
        json.writeNumberField("response_bytes", request.responseBytes());
        text(json, "trace_id", traceId(request.traceparent()));
        json.writeEndObject();
    }

    private static @Nullable String traceId(@Nullable String traceparent) {
        return traceparent == null ? null : TraceParent.traceId(traceparent).orElse(null);
    }

    private static void text(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value.replace(DELETE, "?"));
        }
    }

    private static void seconds(JsonGenerator json, String name, long nanos) throws IOException {
        if (nanos >= 0) {
            json.writeNumberField(name, BigDecimal.valueOf(TimeUnit.NANOSECONDS.toMicros(nanos), MICROSECONDS));
        }
    }
}
