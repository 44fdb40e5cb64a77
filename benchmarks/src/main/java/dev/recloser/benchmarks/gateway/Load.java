package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.time.Duration;

/** Requests that are sent to a port of the loopback address for a while. */
@FunctionalInterface
interface Load {

    /** How many connections there are, each with one request at a time. */
    int CONNECTIONS = 64;

    /** Fails when a single request is not answered as it should be. */
    Answered send(int port, Duration duration) throws IOException, InterruptedException;

    /** As many requests as possible. */
    static Load asFastAsPossible(Content content) {
        return (port, duration) -> Wrk.run(port, content.path(), CONNECTIONS, duration);
    }

    /** Requests at a given rate, whatever the answers take. */
    static Load paced(Content content, double perSecond) {
        return (port, duration) -> PacedClient.run(port, content.path(), CONNECTIONS, perSecond, duration);
    }
}
