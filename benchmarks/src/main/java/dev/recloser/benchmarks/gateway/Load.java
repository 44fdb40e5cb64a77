package dev.recloser.benchmarks.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Requests that are sent to a port of the loopback address for a while. */
@FunctionalInterface
interface Load {

    /** How many connections there are, each with one request at a time. */
    int CONNECTIONS = 64;

    /**
     * The same for huge answers. What is still under way when the time is over has cost CPU time and counts for nothing, so it must be
     * little beside the rest.
     */
    int CONNECTIONS_OF_HUGE = 4;

    /** Where the service reads a body, and answers what is small. */
    String UPLOAD_PATH = "/upload";

    /** Fails when a single request is not answered as it should be. */
    Answered send(int port, Duration duration) throws IOException, InterruptedException;

    /** As many requests as possible. */
    static Load asFastAsPossible(Content content) {
        int connections = content == Content.HUGE ? CONNECTIONS_OF_HUGE : CONNECTIONS;
        return (port, duration) -> Wrk.run(port, content.path(), connections, duration, List.of());
    }

    /** As many requests as possible, each over a connection of its own. */
    static Load withoutKeepAlive(Content content) {
        return (port, duration) ->
                Wrk.run(port, content.path(), CONNECTIONS, duration, List.of("-H", "Connection: close"));
    }

    /**
     * As many requests with a body as possible.
     *
     * @param script for wrk, that makes the request
     */
    static Load uploads(Path script) {
        return (port, duration) -> Wrk.run(port, UPLOAD_PATH, CONNECTIONS, duration, List.of("-s", script.toString()));
    }

    /** Requests at a given rate, whatever the answers take. */
    static Load paced(Content content, double perSecond) {
        return (port, duration) -> PacedClient.run(port, content.path(), CONNECTIONS, perSecond, duration);
    }
}
