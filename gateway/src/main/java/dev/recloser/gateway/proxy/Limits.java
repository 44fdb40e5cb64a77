package dev.recloser.gateway.proxy;

import java.time.Duration;

/** The limits that the gateway has by itself, whatever the configuration says. */
final class Limits {

    /** All header lines of an answer together; more is a bad response. */
    static final int HEADER_BYTES = 32 * 1024;

    /** The largest piece in which a body is passed on. What is read at a time is less. */
    static final int PIECE_BYTES = 1024 * 1024;

    /** Pipelined bytes that are read ahead, so that the client's leaving is noticed, before reading stops. */
    static final int READ_AHEAD_BYTES = 64 * 1024;

    /** How often a connection is read before others are. */
    static final int READS_AT_A_TIME = 4;

    /** When so much of bodies, or ... */
    static final int UNFLUSHED_BYTES = 64 * 1024;

    /** ... so many messages have been read, they are passed on before other connections are read. */
    static final int UNFLUSHED = 256;

    /** The rest of a request that was answered early is read, to keep the connection, up to this size. */
    static final int DISCARD_BYTES = 64 * 1024;

    /** A peer that has more than this waiting to be written makes the other side stop reading, ... */
    static final int WRITE_HIGH_BYTES = 256 * 1024;

    /** ... until no more than this is left. */
    static final int WRITE_LOW_BYTES = 64 * 1024;

    /** Idle connections that are kept for each event loop and destination. */
    static final int POOLED_CONNECTIONS = 128;

    /**
     * How long an idle connection to a service is kept. Shorter than the shortest usual keep-alive of services, which is 5 s
     * (Node.js, Apache, uvicorn), so that the gateway and not the service closes it, and no request is lost to the race.
     */
    static final Duration POOLED_IDLE = Duration.ofSeconds(4);

    /**
     * How old a connection to a service may be and still be kept, so that a name that means another address by now is looked up
     * again, and a destination that was added behind one address gets its share.
     */
    static final Duration POOLED_AGE = Duration.ofMinutes(5);

    /** How long a destination that refused a connection is passed over while there are others. */
    static final Duration DESTINATION_REST = Duration.ofSeconds(1);

    /**
     * How long a client may take to close after the last answer, while what it still sends is read and dropped, so that the answer
     * reaches it.
     */
    static final Duration LINGER = Duration.ofSeconds(10);

    /** For how long the rate is averaged at which a client sends. */
    static final Duration RATE_AVERAGED = Duration.ofSeconds(5);

    /** How long a service may take to say 100 to a client that waits for it, before the gateway says it. */
    static final Duration CONTINUE_WAIT = Duration.ofMillis(500);

    /** How many answers before the answer a service may send. */
    static final int INTERIM_ANSWERS = 64;

    /** How many requests a client may have under way on one connection of HTTP/2. */
    static final int CLIENT_STREAMS = 128;

    /** How many streams a client may reset in a while before its connection is closed: who reads a page and goes on resets its pictures. */
    static final int RESETS = 400;

    static final int RESETS_SECONDS = 30;

    /** What one stream of HTTP/2 may have sent that is not passed on yet. */
    static final int STREAM_WINDOW_BYTES = 256 * 1024;

    /** And all streams of the connection of a client together, who only stops himself. */
    static final int CLIENT_WINDOW_BYTES = 8 * 1024 * 1024;

    /** How many requests share one connection of HTTP/2 to a service, if that permits as many. */
    static final int UPSTREAM_STREAMS = 100;

    /** What they may have sent together: as much as each may, so that those whose clients are slow do not stop the others. */
    static final int UPSTREAM_WINDOW_BYTES = UPSTREAM_STREAMS * STREAM_WINDOW_BYTES;

    /** How long a connection of HTTP/2 to a service is kept that is idle: the service says when it closes it, so no request is lost. */
    static final Duration UPSTREAM_HTTP2_IDLE = Duration.ofSeconds(60);

    /** When the gateway goes down: how long a connection that is idle has for a request that may be on its way. */
    static final Duration DRAIN_GRACE = Duration.ofMillis(500);

    /** When the gateway goes down: how long it still accepts connections, so that those that the system has made are not lost. */
    static final Duration DRAIN_ACCEPT = Duration.ofMillis(100);

    /** Of what a client sends, so many characters reach the access log. */
    static final int LOGGED_METHOD = 32;

    static final int LOGGED_HOST = 256;
    static final int LOGGED_PATH = 1024;
    static final int LOGGED_TRACEPARENT = 256;

    private Limits() {}
}
