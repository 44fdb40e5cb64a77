package dev.recloser.gateway.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.recloser.circuitbreaker.CircuitBreakerOptions;
import dev.recloser.circuitbreaker.CircuitSnapshot;
import dev.recloser.circuitbreaker.CircuitTransition;
import dev.recloser.circuitbreaker.FailureRule;
import dev.recloser.gateway.admin.ClusterHistory.Live;
import dev.recloser.gateway.admin.TransitionRecords.Numbered;
import dev.recloser.gateway.config.ClusterConfig;
import dev.recloser.gateway.config.DestinationConfig;
import dev.recloser.gateway.config.Durations;
import dev.recloser.telemetry.TransitionText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/** Writes the data of the events that feed the dashboard, each in one line: times in milliseconds, settings as in the configuration. */
final class FeedJson {

    private static final double NANOS_A_MILLI = 1_000_000;
    private static final double NANOS_A_SECOND = 1_000_000_000;
    private static final double THOUSAND = 1000;

    private FeedJson() {}

    /**
     * What every event says.
     *
     * @param at the time
     * @param draining whether the gateway is going down
     */
    record Now(Instant at, boolean draining) {}

    /** All there is to know. */
    static String state(Now now, String run, Collection<ClusterHistory> clusters, Collection<Numbered> transitions) {
        return Json.line(json -> {
            begin(json, now);
            json.writeStringField("run", run);
            json.writeArrayFieldStart("clusters");
            for (ClusterHistory cluster : clusters) {
                json.writeStartObject();
                described(json, cluster.circuit().cluster());
                live(json, cluster.liveNow());
                json.writeArrayFieldStart("slices");
                for (Slice slice : cluster.slices()) {
                    slice(json, slice);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("transitions");
            for (Numbered numbered : transitions) {
                transition(json, numbered);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** The last slice of some clusters; the others have an empty one, and are as they were. */
    static String tick(Now now, Collection<ClusterHistory> clusters) {
        return Json.line(json -> {
            begin(json, now);
            json.writeArrayFieldStart("clusters");
            for (ClusterHistory cluster : clusters) {
                json.writeStartObject();
                json.writeStringField("name", cluster.circuit().cluster().name());
                live(json, cluster.live());
                json.writeFieldName("slice");
                slice(json, cluster.lastSlice());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** A transition, and the circuit after it. */
    static String transition(Now now, Numbered numbered, ClusterHistory cluster) {
        return Json.line(json -> {
            begin(json, now);
            json.writeFieldName("transition");
            transition(json, numbered);
            live(json, cluster.liveNow());
            json.writeEndObject();
        });
    }

    private static void begin(JsonGenerator json, Now now) throws IOException {
        json.writeStartObject();
        json.writeStringField("now", Json.millis(now.at()));
        json.writeBooleanField("draining", now.draining());
    }

    private static void transition(JsonGenerator json, Numbered numbered) throws IOException {
        CircuitTransition transition = numbered.transition();
        json.writeStartObject();
        json.writeNumberField("number", numbered.number());
        json.writeStringField("at", Json.millis(transition.at()));
        json.writeStringField("cluster", transition.circuit());
        json.writeStringField("from", transition.from().name());
        json.writeStringField("to", transition.to().name());
        json.writeStringField("event", TransitionText.event(transition));
        json.writeStringField("why", TransitionText.why(transition));
        if (transition.cause().isPresent()) {
            json.writeStringField("cause", transition.cause().get().getMessage());
        }
        json.writeEndObject();
    }

    private static void described(JsonGenerator json, ClusterConfig cluster) throws IOException {
        CircuitBreakerOptions<Object> options = cluster.circuitBreaker();
        json.writeStringField("name", cluster.name());
        json.writeArrayFieldStart("destinations");
        for (DestinationConfig destination : cluster.destinations()) {
            json.writeString(destination.url());
        }
        json.writeEndArray();
        json.writeObjectFieldStart("settings");
        json.writeStringField("connect-timeout", Durations.write(cluster.connectTimeout()));
        json.writeStringField("timeout", Durations.write(cluster.timeout()));
        json.writeStringField("idle-timeout", Durations.write(cluster.idleTimeout()));
        if (options.failureRule() instanceof FailureRule.Ratio rule) {
            json.writeNumberField("failure-ratio", rule.ratio());
            json.writeNumberField("minimum-throughput", rule.minimumThroughput());
            json.writeStringField("sampling-duration", Durations.write(rule.samplingDuration()));
        }
        json.writeStringField("break-duration", Durations.write(options.breakDuration()));
        json.writeNumberField("probes", options.probes());
        json.writeNumberField("successes-to-close", options.successesToClose());
        json.writeStringField("probe-lease", Durations.write(options.probeLease()));
        json.writeEndObject();
    }

    private static void live(JsonGenerator json, Live live) throws IOException {
        CircuitSnapshot snapshot = live.look().snapshot();
        json.writeObjectFieldStart("live");
        json.writeStringField("state", snapshot.state().name());
        json.writeStringField("since", Json.millis(live.look().since()));
        json.writeNumberField("inState", snapshot.timeInState().toMillis());
        if (snapshot.nextProbe().isPresent()) {
            json.writeNumberField("nextProbe", rounded(snapshot.nextProbe().get()));
        }
        json.writeNumberField("calls", snapshot.calls());
        json.writeNumberField("failures", snapshot.failures());
        json.writeNumberField("runningProbes", snapshot.runningProbes());
        json.writeNumberField("reopenings", snapshot.reopenings());
        json.writeNumberField("inFlight", live.inFlight());
        latency(json, "latency", live.now());
        latency(json, "latencyOfMinute", live.minute());
        json.writeObjectFieldStart("failed");
        for (Map.Entry<String, Long> reason : live.failures().entrySet()) {
            json.writeNumberField(reason.getKey(), reason.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Rounded up: no sooner than that. */
    private static long rounded(Duration rest) {
        return rest.plusNanos((long) NANOS_A_MILLI - 1).toMillis();
    }

    /** Count, p50, p95, p99; left out where there was no answer. */
    private static void latency(JsonGenerator json, String field, Latency latency) throws IOException {
        if (latency.count() > 0) {
            json.writeArrayFieldStart(field);
            json.writeNumber(latency.count());
            json.writeNumber(toMillis(latency.p50()));
            json.writeNumber(toMillis(latency.p95()));
            json.writeNumber(toMillis(latency.p99()));
            json.writeEndArray();
        }
    }

    private static double toMillis(long nanos) {
        return Math.round(nanos / NANOS_A_MILLI * THOUSAND) / THOUSAND;
    }

    /** Seconds, ok, slow, failed, ignored, rejected, state. */
    private static void slice(JsonGenerator json, Slice slice) throws IOException {
        json.writeStartArray();
        json.writeNumber(Math.round(slice.nanos() / NANOS_A_SECOND * THOUSAND) / THOUSAND);
        json.writeNumber(slice.ok());
        json.writeNumber(slice.slow());
        json.writeNumber(slice.failed());
        json.writeNumber(slice.ignored());
        json.writeNumber(slice.rejected());
        json.writeString(slice.state().name());
        json.writeEndArray();
    }
}
