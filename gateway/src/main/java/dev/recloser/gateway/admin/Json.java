package dev.recloser.gateway.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.proxy.DestinationSnapshot;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Writes what the admin server shows as JSON: times in seconds, ratios as parts of 1. */
final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int MILLISECONDS = 3;

    private Json() {}

    static String circuits(List<Observed.Look> looks) {
        return write(json -> {
            json.writeStartArray();
            for (Observed.Look look : looks) {
                circuit(json, look);
            }
            json.writeEndArray();
        });
    }

    static String circuit(Observed.Look look) {
        return write(json -> circuit(json, look));
    }

    /** A problem as RFC 9457 has it. */
    static String problem(HttpResponseStatus status, String detail) {
        return write(json -> {
            json.writeStartObject();
            json.writeStringField("title", status.reasonPhrase());
            json.writeNumberField("status", status.code());
            json.writeStringField("detail", detail);
            json.writeEndObject();
        });
    }

    private static void circuit(JsonGenerator json, Observed.Look look) throws IOException {
        Circuit circuit = look.circuit();
        CircuitSnapshot snapshot = look.snapshot();
        json.writeStartObject();
        json.writeStringField("cluster", circuit.cluster().name());
        json.writeStringField("state", snapshot.state().name());
        json.writeStringField("since", millis(look.since()));
        json.writeNumberField("timeInState", seconds(snapshot.timeInState()));
        json.writeNumberField("calls", snapshot.calls());
        json.writeNumberField("failures", snapshot.failures());
        json.writeNumberField("failureRatio", snapshot.failureRatio());
        if (snapshot.nextProbe().isPresent()) {
            json.writeNumberField("nextProbe", seconds(snapshot.nextProbe().get()));
        } else {
            json.writeNullField("nextProbe");
        }
        counts(json, snapshot);
        json.writeNumberField("inFlight", circuit.inFlight().getAsLong());
        requests(json, circuit);
        destinations(json, circuit.destinations().get());
        json.writeObjectFieldStart("settings");
        settings(json, circuit.cluster());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void counts(JsonGenerator json, CircuitSnapshot snapshot) throws IOException {
        json.writeNumberField("runningProbes", snapshot.runningProbes());
        json.writeNumberField("reopenings", snapshot.reopenings());
        json.writeNumberField("rejected", snapshot.rejected());
        json.writeNumberField("late", snapshot.late());
        json.writeNumberField("lost", snapshot.lost());
    }

    private static void requests(JsonGenerator json, Circuit circuit) throws IOException {
        json.writeObjectFieldStart("requests");
        for (Map.Entry<String, Long> reason : circuit.requests().get().entrySet()) {
            json.writeNumberField(reason.getKey(), reason.getValue());
        }
        json.writeEndObject();
    }

    private static void destinations(JsonGenerator json, List<DestinationSnapshot> destinations) throws IOException {
        json.writeArrayFieldStart("destinations");
        for (DestinationSnapshot destination : destinations) {
            json.writeStartObject();
            json.writeStringField("url", destination.url());
            json.writeStringField("state", destination.state().label());
            json.writeNumberField("weight", destination.weight());
            json.writeNumberField("underway", destination.underway());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void settings(JsonGenerator json, ClusterConfig cluster) throws IOException {
        CircuitBreakerOptions<Object> options = cluster.circuitBreaker();
        if (options.failureRule() instanceof FailureRule.Ratio rule) {
            json.writeNumberField("failureRatio", rule.ratio());
            json.writeNumberField("minimumThroughput", rule.minimumThroughput());
            json.writeNumberField("samplingDuration", seconds(rule.samplingDuration()));
        }
        json.writeNumberField("breakDuration", seconds(options.breakDuration()));
        json.writeNumberField("probes", options.probes());
        json.writeNumberField("successesToClose", options.successesToClose());
        json.writeNumberField("probeLease", seconds(options.probeLease()));
        json.writeNumberField("connectTimeout", seconds(cluster.connectTimeout()));
        json.writeNumberField("timeout", seconds(cluster.timeout()));
        json.writeNumberField("idleTimeout", seconds(cluster.idleTimeout()));
    }

    /** A time of day, to the millisecond. */
    static String millis(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static BigDecimal seconds(Duration duration) {
        BigDecimal exact = BigDecimal.valueOf(duration.toMillis(), MILLISECONDS).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }

    /** Something to be written. */
    interface Content {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** For a reader that is a program: all in one line. */
    static String line(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            content.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException("text cannot fail to be written", e);
        }
        return text.toString();
    }

    private static String write(Content content) {
        return line(json -> {
                    json.useDefaultPrettyPrinter();
                    content.writeTo(json);
                })
                + "\n";
    }
}
