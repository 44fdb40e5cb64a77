package dev.recloser.gateway.metrics;

import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * All metrics of the gateway's own. The value of a label is always one that the configuration or this program names, never
 * one that a request brings.
 */
enum Metric {
    REQUESTS(
            "recloser_gateway_requests_total",
            Type.COUNTER,
            "Requests for a cluster that have ended, by the class of the status that the client got (none: it got none) and by reason.",
            Label.CLUSTER,
            Label.STATUS_CLASS,
            Label.REASON),
    UNROUTED_REQUESTS(
            "recloser_gateway_unrouted_requests_total",
            Type.COUNTER,
            "Requests for no cluster that have ended: malformed ones, and those that no route matches.",
            Label.STATUS_CLASS,
            Label.REASON),
    REQUESTS_IN_FLIGHT(
            "recloser_gateway_requests_in_flight",
            Type.GAUGE,
            "Requests that have begun and not ended.",
            Label.CLUSTER),
    SERVICE_TIME(
            "recloser_gateway_service_seconds",
            Type.HISTOGRAM,
            "Time that the service took: from when the request had gone out to the head of the answer, or to the timeout.",
            Label.CLUSTER),
    OVERHEAD(
            "recloser_gateway_overhead_seconds",
            Type.HISTOGRAM,
            "Time that the gateway itself took for a request that the service answered.",
            Label.CLUSTER),
    SLOW_REQUESTS(
            "recloser_gateway_slow_requests_total",
            Type.COUNTER,
            "Requests that ended ok although the service took more than half of the timeout.",
            Label.CLUSTER),
    BODY_BYTES(
            "recloser_gateway_body_bytes_total",
            Type.COUNTER,
            "Bytes of bodies passed on to the service (request) and written to clients (response).",
            Label.CLUSTER,
            Label.DIRECTION),
    CLIENT_CONNECTIONS("recloser_gateway_client_connections", Type.GAUGE, "Connections of clients that are open."),
    CLIENT_CONNECTS("recloser_gateway_client_connects_total", Type.COUNTER, "Connections that clients have made."),
    CLIENT_REFUSALS(
            "recloser_gateway_client_refusals_total",
            Type.COUNTER,
            "Connections of clients that were closed at once because there were as many as there may be."),
    UPSTREAM_CONNECTIONS(
            "recloser_gateway_upstream_connections",
            Type.GAUGE,
            "Connections to destinations that are kept for the next request (idle), or serve one (in_use).",
            Label.CLUSTER,
            Label.STATE),
    UPSTREAM_CONNECTS(
            "recloser_gateway_upstream_connects_total",
            Type.COUNTER,
            "Attempts to connect to a destination.",
            Label.CLUSTER,
            Label.OUTCOME),
    UPSTREAM_REUSES(
            "recloser_gateway_upstream_reuses_total",
            Type.COUNTER,
            "Requests that went out on a connection that had been kept.",
            Label.CLUSTER),
    RETRIES(
            "recloser_gateway_retries_total",
            Type.COUNTER,
            "Times that a request went out once more because the settings of the cluster say so.",
            Label.CLUSTER),
    LIMITER_IN_FLIGHT(
            "recloser_limiter_in_flight",
            Type.GAUGE,
            "Requests that hold a permit of the concurrency limit or adaptive limit.",
            Label.CLUSTER,
            Label.LIMITER),
    LIMITER_QUEUED(
            "recloser_limiter_queued", Type.GAUGE, "Requests that wait for a limit.", Label.CLUSTER, Label.LIMITER),
    LIMITER_LIMIT(
            "recloser_limiter_limit",
            Type.GAUGE,
            "How many requests may be under way at a time.",
            Label.CLUSTER,
            Label.LIMITER),
    DESTINATION_HEALTHY(
            "recloser_destination_healthy",
            Type.GAUGE,
            "Whether the destination is healthy: 1, or 0 while it is ejected or health checks say that it is not.",
            Label.CLUSTER,
            Label.DESTINATION),
    CIRCUIT_STATE(
            "recloser_circuit_state",
            Type.GAUGE,
            "State of the circuit: 0 closed, 1 half-open, 2 open, 3 isolated.",
            Label.CLUSTER),
    CIRCUIT_RATIO(
            "recloser_circuit_ratio",
            Type.GAUGE,
            "Failures by calls in the window of the circuit; while it is not closed, those that led to the opening.",
            Label.CLUSTER),
    CIRCUIT_CALLS(
            "recloser_circuit_calls",
            Type.GAUGE,
            "Calls in the window of the circuit; while it is not closed, those that led to the opening.",
            Label.CLUSTER),
    CIRCUIT_TRANSITIONS(
            "recloser_circuit_transitions_total",
            Type.COUNTER,
            "Times that the circuit has changed its state, by the new one.",
            Label.CLUSTER,
            Label.TO),
    REJECTIONS(
            "recloser_rejections_total",
            Type.COUNTER,
            "Requests that were rejected without calling the service.",
            Label.CLUSTER,
            Label.REASON),
    LATE_OUTCOMES(
            "recloser_circuit_late_outcomes_total",
            Type.COUNTER,
            "Outcomes that came after the circuit had left the state in which the request was admitted, and changed nothing.",
            Label.CLUSTER),
    LOST_PROBES(
            "recloser_circuit_lost_probes_total",
            Type.COUNTER,
            "Probes that did not end within their lease.",
            Label.CLUSTER),
    ACCESS_LOG_DROPPED(
            "recloser_gateway_access_log_dropped_total",
            Type.COUNTER,
            "Lines of the access log that could not be written, or not in time."),
    CONFIG_RELOADS(
            "recloser_config_reloads_total",
            Type.COUNTER,
            "Times that the configuration was read anew, by what came of it.",
            Label.RESULT),
    CONFIG_LAST_RELOAD(
            "recloser_config_last_reload_successful",
            Type.GAUGE,
            "Whether the configuration that was read last is the one that is served (1), or has errors (0)."),
    CERTIFICATE_EXPIRY(
            "recloser_gateway_certificate_expiry_timestamp_seconds",
            Type.GAUGE,
            "When the first of the certificates in the file expires, in seconds since 1970; of those that the gateway itself shows.",
            Label.FILE),
    BUILD("recloser_gateway_build_info", Type.INFO, "The version that is running; always 1.", Label.VERSION);

    /** What kind of number it is. */
    enum Type {
        COUNTER("_total"),
        GAUGE(""),
        HISTOGRAM(""),
        INFO("_info");

        private final String suffix;

        Type(String suffix) {
            this.suffix = suffix;
        }
    }

    /** The names of all labels. */
    enum Label {
        CLUSTER,
        STATUS_CLASS,
        REASON,
        DESTINATION,
        DIRECTION,
        STATE,
        OUTCOME,
        LIMITER,
        TO,
        RESULT,
        FILE,
        VERSION;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final String fullName;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // the list is one that cannot be changed
    private final List<String> labels;

    Metric(String fullName, Type type, String help, Label... labels) {
        this.fullName = fullName;
        this.type = type;
        this.help = help;
        this.labels = Arrays.stream(labels).map(Label::label).toList();
    }

    /** The name by which it is asked for. */
    String fullName() {
        return fullName;
    }

    Type type() {
        return type;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }

    /** What the library wants to know: the name without what it puts behind it. */
    MetricMetadata metadata() {
        String name = fullName.substring(0, fullName.length() - type.suffix.length());
        if (name.endsWith("_seconds")) {
            return new MetricMetadata(name, help, Unit.SECONDS);
        }
        return name.endsWith("_bytes") ? new MetricMetadata(name, help, Unit.BYTES) : new MetricMetadata(name, help);
    }
}
