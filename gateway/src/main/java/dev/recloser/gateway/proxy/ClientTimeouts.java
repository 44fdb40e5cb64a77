package dev.recloser.gateway.proxy;

import java.time.Duration;

/**
 * How long the gateway waits for clients.
 *
 * @param idle between requests
 * @param head from the first byte of a request's head to the last
 * @param body for the next piece of a request's body
 * @param stall for the client to take anything of an answer that is waiting for it
 * @param linger for the client to close after the last answer, while what it still sends is read and dropped, so that the answer
 *     reaches it
 */
record ClientTimeouts(Duration idle, Duration head, Duration body, Duration stall, Duration linger) {

    /**
     * Those that a gateway has. The one for a stall is long because the system's buffers take megabytes: a client that reads a few
     * KB per second makes them move only every few minutes.
     */
    static final ClientTimeouts USUAL = new ClientTimeouts(
            Duration.ofSeconds(75),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10));
}
