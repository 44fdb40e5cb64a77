package dev.recloser.gateway.config;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What clients may do.
 *
 * @param connections how many connections they may have
 * @param times how long they are waited for
 * @param sizes how large the heads of their requests may be
 * @param encodedSlashes whether a path may have encoded slashes; else such a request is malformed
 * @param halfClose whether a client that has ended its side of the connection still gets its answer; else it has gone
 */
public record ClientsConfig(
        Connections connections, Times times, Sizes sizes, boolean encodedSlashes, boolean halfClose) {

    /** What holds for clients of which nothing is said. */
    public static final ClientsConfig USUAL = new ClientsConfig(
            new Connections(OptionalInt.empty(), OptionalInt.empty()),
            new Times(
                    Duration.ofSeconds(75),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(10),
                    OptionalLong.empty()),
            new Sizes(8 * 1024, 32 * 1024, 100),
            false,
            false);

    /**
     * How many connections clients may have. What comes beyond that is closed at once.
     *
     * @param all all together
     * @param perAddress those from one address
     */
    public record Connections(OptionalInt all, OptionalInt perAddress) {}

    /**
     * How long clients are waited for.
     *
     * @param idle between requests
     * @param header from the first byte of a request's head to the last
     * @param body for the next piece of a request's body
     * @param stall for the client to take anything of an answer that is waiting for it. Long by default, because the system's buffers
     *     take megabytes: a client that reads a few KB per second makes them move only every few minutes
     * @param minBodyRate how many bytes of a body a client must send per second on average, while it is waited for
     */
    public record Times(Duration idle, Duration header, Duration body, Duration stall, OptionalLong minBodyRate) {}

    /**
     * How large the head of a request may be.
     *
     * @param requestLine bytes of its first line
     * @param headers bytes of all other lines together
     * @param headerFields how many of these there may be
     */
    public record Sizes(int requestLine, int headers, int headerFields) {}
}
