package dev.recloser.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recloser.gateway.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Prometheus as a process, with a configuration of the test's, on a free port of the loopback address. */
final class Prometheus implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final Process process;
    private final int port;
    private final Path log;

    private Prometheus(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param folder for its data and what it says
     * @param config its configuration
     */
    static Prometheus start(Path folder, Path config) throws IOException, InterruptedException {
        int port = FreePort.find();
        Path log = folder.resolve("prometheus.log");
        Process process = new ProcessBuilder(
                        Program.installed("prometheus"),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Prometheus started = new Prometheus(process, port, log);
        try {
            started.awaitReady();
        } catch (Throwable notReady) {
            started.close();
            throw notReady;
        }
        return started;
    }

    private void awaitReady() throws IOException, InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        boolean ready = false;
        while (!ready) {
            assertThat(process.isAlive() && System.nanoTime() < end)
                    .as("Prometheus gets ready\n" + log())
                    .isTrue();
            Thread.sleep(50);
            ready = isReady();
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            return send("/-/ready").statusCode() == 200;
        } catch (IOException refused) {
            return false;
        }
    }

    /** The values of all series that a query finds now; those that are not a number are left out. */
    JsonNode now(String query) throws IOException, InterruptedException {
        return data("/api/v1/query?query=" + encode(query)).get("result");
    }

    /** The same for the last seconds, one by one. */
    JsonNode lately(String query, int seconds) throws IOException, InterruptedException {
        Instant now = Instant.now();
        return data("/api/v1/query_range?step=1&start=" + now.minusSeconds(seconds) + "&end=" + now + "&query="
                        + encode(query))
                .get("result");
    }

    /** What its interface answers. */
    JsonNode data(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = send(path);
        JsonNode answer = json.readTree(response.body());
        assertThat(answer.get("status").asText())
                .as(path + "\n" + response.body())
                .isEqualTo("success");
        return answer.get("data");
    }

    private HttpResponse<String> send(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).timeout(BOUND).build(), BodyHandlers.ofString());
    }

    private static String encode(String query) {
        return URLEncoder.encode(query, StandardCharsets.UTF_8);
    }

    /** What it has said, for a test that fails. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
