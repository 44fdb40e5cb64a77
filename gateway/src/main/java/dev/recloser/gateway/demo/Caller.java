package dev.recloser.gateway.demo;

import dev.recloser.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** The one who calls the services, through the gateway like everybody else. */
final class Caller {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * What a call got.
     *
     * @param at when it was made
     * @param path what was called
     * @param status the status of the answer
     * @param retryAfter in how many seconds to try again, if the answer says so
     */
    record Answer(Instant at, String path, int status, OptionalLong retryAfter) {}

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String gateway;

    Caller(String gateway) {
        this.gateway = gateway;
    }

    /** Lets client and service load what their first call needs, so that no call of the incident is slow for that reason. */
    void warmUp(String service) throws IOException, InterruptedException {
        URI uri = URI.create(service + DemoService.SWITCH);
        client.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), BodyHandlers.discarding());
    }

    Answer call(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway + path))
                .timeout(PATIENCE)
                .build();
        Instant at = TimeSource.system().instant();
        var response = client.send(request, BodyHandlers.discarding());
        return new Answer(at, path, response.statusCode(), response.headers().firstValueAsLong("Retry-After"));
    }
}
