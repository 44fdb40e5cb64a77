package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatabilityTest {

    private final Repeatability usual = new Repeatability(request -> false);

    @TempDir
    private Path directory;

    private static HttpRequest.Builder request() {
        return HttpRequest.newBuilder(URI.create("http://localhost/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE"})
    void safeMethodsAreRepeated(String method) {
        assertThat(usual.isRepeatable(
                        request().method(method, BodyPublishers.noBody()).build()))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "get", "PROPFIND"})
    void otherMethodsAreNot(String method) {
        assertThat(usual.isRepeatable(
                        request().method(method, BodyPublishers.noBody()).build()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void otherMethodsAreWithAnIdempotencyKey(String method) {
        HttpRequest request = request()
                .header("idempotency-key", "8e03978e")
                .method(method, BodyPublishers.ofString("x"))
                .build();
        assertThat(usual.isRepeatable(request)).isTrue();
    }

    @Test
    void otherMethodsAreIfTheCallerSaysSo() {
        Repeatability puts = new Repeatability(request -> request.method().equals("PUT"));
        assertThat(puts.isRepeatable(request().PUT(BodyPublishers.noBody()).build()))
                .isTrue();
        assertThat(puts.isRepeatable(request().POST(BodyPublishers.noBody()).build()))
                .isFalse();
        assertThat(puts.isRepeatable(request().GET().build())).isTrue();
    }

    @Test
    void bodyThatCannotBeReplayedIsNotWhateverTheCallerSays() {
        Repeatability all = new Repeatability(request -> true);
        HttpRequest request =
                request().header("Idempotency-Key", "1").POST(stream()).build();
        assertThat(all.isRepeatable(request)).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    void bodiesOfTheJdkThatCanBeReplayedAreKnown(BodyPublisher body) {
        assertThat(usual.isRepeatable(request().method("GET", body).build())).isTrue();
    }

    static Stream<BodyPublisher> bodiesOfTheJdkThatCanBeReplayedAreKnown() {
        byte[] bytes = "body".getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                BodyPublishers.noBody(),
                BodyPublishers.ofString("body"),
                BodyPublishers.ofString(""),
                BodyPublishers.ofByteArray(bytes),
                BodyPublishers.ofByteArray(bytes, 1, 2),
                BodyPublishers.ofByteArrays(List.of(bytes, bytes)));
    }

    @Test
    void filesCanBeReplayed() throws IOException {
        Path file = Files.writeString(directory.resolve("body"), "body");
        HttpRequest request =
                request().method("GET", BodyPublishers.ofFile(file)).build();
        assertThat(usual.isRepeatable(request)).isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void bodiesOfWhichNothingIsKnownAreNotReplayed(BodyPublisher body) {
        assertThat(usual.isRepeatable(request().method("GET", body).build())).isFalse();
        assertThat(usual.isRepeatable(
                        request().method("GET", ReplayableBody.of(body)).build()))
                .isTrue();
    }

    static Stream<BodyPublisher> bodiesOfWhichNothingIsKnownAreNotReplayed() {
        return Stream.of(
                stream(),
                BodyPublishers.fromPublisher(BodyPublishers.ofString("body")),
                BodyPublishers.concat(BodyPublishers.ofString("bo"), BodyPublishers.ofString("dy")));
    }

    private static BodyPublisher stream() {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[3]));
    }
}
