package dev.recloser.gateway.proxy;

import dev.recloser.OutcomeClass;
import org.jspecify.annotations.Nullable;

/**
 * How a request through the gateway can end: the one table that decides what the client gets, what the breaker sees, and whether
 * the request may be tried again. The reason stands in the problem body, and in the counts of the admin server.
 */
public enum Ending {
    /** The circuit is open; the service was not called. */
    CIRCUIT_OPEN("circuit-open", 503, Verdict.NOT_COUNTED, Repeat.NO, "The circuit is open."),
    /** The circuit was isolated by hand. */
    CIRCUIT_ISOLATED("circuit-isolated", 503, Verdict.NOT_COUNTED, Repeat.NO, "The circuit was isolated by hand."),
    /** As many requests as the cluster permits are under way, and none can wait. */
    LIMIT("limit", 503, Verdict.NOT_COUNTED, Repeat.NO, "Too many requests are under way."),
    /** A request has waited for as long as it may for others to end. */
    QUEUE_TIMEOUT("queue-timeout", 503, Verdict.NOT_COUNTED, Repeat.NO, "The wait for other requests took too long."),
    /** More requests come than the cluster permits in a time. */
    RATE_LIMIT("rate-limit", 429, Verdict.NOT_COUNTED, Repeat.NO, "Requests come at too high a rate."),
    /** Health checks say of all destinations that they are not well; none was asked. */
    NO_DESTINATION("no-destination", 503, Verdict.NOT_COUNTED, Repeat.NO, "No destination is healthy."),
    /** No connection to any destination; nothing was sent. */
    CONNECT("connect", 502, Verdict.FAILURE, Repeat.NEXT_DESTINATION, "No destination accepts a connection."),
    /** A destination did not answer the attempt to connect in time. */
    CONNECT_TIMEOUT("connect-timeout", 504, Verdict.FAILURE, Repeat.NEXT_DESTINATION, "Connecting took too long."),
    /** A kept-alive connection was closed just as it was used, before a byte of the answer. */
    STALE("stale", 502, Verdict.IGNORED, Repeat.FRESH_CONNECTION, "The service closed the connection that was used."),
    /** A fresh connection was closed before the headers of the answer. */
    UPSTREAM_CLOSED("upstream-closed", 502, Verdict.FAILURE, Repeat.BY_SETTING, "The service closed the connection."),
    /** The answer is no HTTP, contradicts itself, or has too large a head. */
    BAD_RESPONSE("bad-response", 502, Verdict.FAILURE, Repeat.NO, "The service's answer is not valid HTTP."),
    /** No headers within the timeout. */
    TIMEOUT("timeout", 504, Verdict.FAILURE, Repeat.BY_SETTING, "The service did not answer in time."),
    /** The total timeout is over, and the service, which had the request in full, has not answered in full. */
    DEADLINE("deadline", 504, Verdict.FAILURE, Repeat.NO, "The request took too long in all."),
    /** The body was cut, or the service silent, after the headers had been passed on. */
    BODY_CUT("body-cut", 0, Verdict.FAILURE, Repeat.NO, "The answer broke off."),
    /** An answer of the service that says that it failed. */
    UPSTREAM_5XX("upstream-5xx", 0, Verdict.FAILURE, Repeat.BY_STATUS, "The service failed."),
    /** Any other answer of the service. */
    OK("ok", 0, Verdict.SUCCESS, Repeat.BY_STATUS, "Answered."),
    /** The service agreed to go on in another protocol, and the connection has ended since. */
    UPGRADED("upgraded", 0, Verdict.SUCCESS, Repeat.NO, "Upgraded."),
    /** No route matches. */
    NO_ROUTE("no-route", 404, Verdict.NOT_COUNTED, Repeat.NO, "No route matches this request."),
    /** A method that is not served. */
    METHOD("method", 405, Verdict.NOT_COUNTED, Repeat.NO, "This method is not served."),
    /** The client's request is malformed, too large or contradictory. */
    BAD_REQUEST("bad-request", 400, Verdict.IGNORED, Repeat.NO, "The request is malformed."),
    /** A fault of the gateway's own. */
    INTERNAL("internal", 500, Verdict.IGNORED, Repeat.NO, "The gateway failed."),
    /** The client sends its request, or reads its answer, too slowly. */
    CLIENT_SLOW("client-slow", 408, Verdict.IGNORED, Repeat.NO, "The request came too slowly."),
    /** The client has gone. */
    CLIENT_GONE("client-gone", 0, Verdict.IGNORED, Repeat.NO, "The client has gone."),
    /** The gateway was stopped, and closed the connections of requests that were under way. */
    GATEWAY_STOPPED("gateway-stopped", 0, Verdict.IGNORED, Repeat.NO, "The gateway was stopped.");

    /** What the breaker sees. */
    public enum Verdict {
        /** Nothing: the call never began. */
        NOT_COUNTED(null),
        /** A success. */
        SUCCESS(OutcomeClass.SUCCESS),
        /** A failure. */
        FAILURE(OutcomeClass.FAILURE),
        /** An end that says nothing about the service. */
        IGNORED(OutcomeClass.IGNORED);

        final @Nullable OutcomeClass outcome;

        Verdict(@Nullable OutcomeClass outcome) {
            this.outcome = outcome;
        }
    }

    /** Whether the request may be tried again. */
    enum Repeat {
        /** Never. */
        NO,
        /** At once, on a destination that has not been tried: nothing was sent. */
        NEXT_DESTINATION,
        /** Once, on a fresh connection, if the method is safe and the request has no body. */
        FRESH_CONNECTION,
        /** As often as the cluster's settings say and its budget allows, if the method is safe and the request has no body. */
        BY_SETTING,
        /** The same, if the settings name the status of the answer. */
        BY_STATUS
    }

    private final String reason;
    private final int status;
    final Verdict verdict;
    final Repeat repeat;
    final String detail;

    Ending(String reason, int status, Verdict verdict, Repeat repeat, String detail) {
        this.reason = reason;
        this.status = status;
        this.verdict = verdict;
        this.repeat = repeat;
        this.detail = detail;
    }

    /** The name of this ending in problem bodies and counts. */
    public String reason() {
        return reason;
    }

    /** The status of the gateway's own answer; 0 where the client gets the service's answer, or none. */
    public int status() {
        return status;
    }

    /** What the breaker sees. */
    public Verdict verdict() {
        return verdict;
    }

    /** What it is in truth when the gateway is being stopped: then it was the gateway that closed all connections. */
    Ending whileStopping() {
        return switch (this) {
            case CONNECT, STALE, UPSTREAM_CLOSED, BODY_CUT, CLIENT_GONE, UPGRADED -> GATEWAY_STOPPED;
            default -> this;
        };
    }

    /** What is told to the breaker as the cause of a failure. */
    Throwable cause() {
        return new ForwardException(reason, detail);
    }

    /** How a request failed, as the cause of a rejection. Without a stack trace, which would say nothing. */
    static final class ForwardException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private ForwardException(String reason, String detail) {
            super(reason + ": " + detail, null, false, false);
        }
    }
}
