package dev.recloser.http;

import static dev.recloser.http.ScriptedServer.brokenHead;
import static dev.recloser.http.ScriptedServer.silence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.PipelineEvent;
import dev.recloser.Registration;
import dev.recloser.circuitbreaker.CircuitBreaker;
import dev.recloser.circuitbreaker.CircuitState;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which requests share a pipeline, and which pipelines are kept. */
class PartitionsTest extends ClientFixture {

    private static HttpRequest to(String host) {
        return get(URI.create("http://" + host + "/"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://example.com/a/b?c, example.com:80",
        "http://EXAMPLE.com:8080, example.com:8080",
        "https://example.com, example.com:443",
        "HTTPS://user:secret@example.com/x, example.com:443",
        "http://[::1]:81/, [::1]:81"
    })
    void keyIsTheAuthorityAndNothingElse(String uri, String key) {
        RecloserHttpClient client = quickClient();
        Pipeline<HttpResponse<?>> pipeline = client.pipeline(get(URI.create(uri)));
        assertThat(client.pipelines()).containsExactly(Map.entry(key, pipeline));
        assertThat(pipeline.name()).isEqualTo("test/" + key);
    }

    @Test
    void sameAuthoritySharesAPipelineAndAnotherOneDoesNot() {
        RecloserHttpClient client = quickClient();
        assertThat(client.pipeline(to("a"))).isSameAs(client.pipeline(get(URI.create("http://A:80/other?x=1"))));
        assertThat(client.pipeline(to("a"))).isNotSameAs(client.pipeline(to("b")));
    }

    @Test
    void clientsShareNothing() {
        assertThat(quickClient().pipeline(to("a"))).isNotSameAs(quickClient().pipeline(to("a")));
    }

    @Test
    void keyCanBeAFunctionAndNothingMeansTheAuthority() {
        RecloserHttpClient client = quick().partitionBy(
                        request -> switch (request.uri().getPath()) {
                            case "/orders" -> "orders";
                            case "/empty" -> "";
                            default -> null;
                        })
                .build();
        assertThat(client.pipeline(get(URI.create("http://a/orders"))))
                .isSameAs(client.pipeline(get(URI.create("http://b/orders"))));
        client.pipeline(get(URI.create("http://a/empty")));
        client.pipeline(get(URI.create("http://a/null")));
        assertThat(client.pipelines()).containsOnlyKeys("orders", "a:80");
    }

    @ParameterizedTest
    @MethodSource("dev.recloser.http.SendMode#available")
    void keyFunctionThatThrowsEndsTheRequestAndNothingIsLeft(SendMode mode) throws InterruptedException {
        RecloserHttpClient client = quick().partitionBy(request -> {
                    throw new IllegalStateException("a bug");
                })
                .build();
        assertThat(mode.start(client, to("a"), BodyHandlers.ofString()).error()).hasMessage("a bug");
        client.shutdown();
        assertThat(client.awaitTermination(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void leastRecentlyUsedLeaves() {
        RecloserHttpClient client = quick().maxPartitions(2).build();
        client.pipeline(to("a"));
        client.pipeline(to("b"));
        client.pipeline(to("a"));
        client.pipeline(to("c"));
        assertThat(client.pipelines()).containsOnlyKeys("a:80", "c:80");
    }

    @Test
    void oneWhoseCircuitIsNotClosedStaysBeforeOneWhoseCircuitIs() {
        RecloserHttpClient client = quick().maxPartitions(2).build();
        client.pipeline(to("a")).strategy(CircuitBreaker.class).orElseThrow().isolate();
        client.pipeline(to("b"));
        client.pipeline(to("c"));
        assertThat(client.pipelines()).containsOnlyKeys("a:80", "c:80");
    }

    @Test
    void oneWhoseCircuitIsNotClosedLeavesIfThereIsNoOther() {
        RecloserHttpClient client = quick().maxPartitions(1).build();
        client.pipeline(to("a")).strategy(CircuitBreaker.class).orElseThrow().isolate();
        client.pipeline(to("b"));
        assertThat(client.pipelines()).containsOnlyKeys("b:80");
    }

    @Test
    void busyOneStaysAndWhatHasNoPlaceSharesOne() {
        ScriptedServer server = server(silence());
        RecloserHttpClient client = quick().maxPartitions(1).build();
        SendMode.Sent<String> busy = SendMode.ASYNC.start(client, get(server), BodyHandlers.ofString());
        Pipeline<HttpResponse<?>> shared = client.pipeline(to("b"));
        assertThat(client.pipeline(to("c"))).isSameAs(shared);
        assertThat(shared.name()).isEqualTo("test");
        assertThat(client.pipelines()).containsOnlyKeys("127.0.0.1:" + server.port(), "*");
        busy.cancel();
        assertThat(client.pipeline(to("b"))).isNotSameAs(shared);
        assertThat(client.pipelines()).containsOnlyKeys("b:80", "*");
    }

    @Test
    void circuitOfOneAuthorityLeavesTheOthersAlone() {
        ScriptedServer broken = server(brokenHead());
        ScriptedServer well = server();
        RecloserHttpClient client = quick().pipeline(standard -> standard.circuitBreaker(cb -> cb.minimumThroughput(2)))
                .build();
        SendMode.BLOCKING.start(client, get(broken), BodyHandlers.ofString()).error();
        assertThat(circuit(client, get(broken)).state()).isEqualTo(CircuitState.OPEN);
        assertThat(SendMode.BLOCKING
                        .send(client, get(well), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void customPipelinesAreMadeForEachPartition() {
        List<String> made = new ArrayList<>();
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(partition -> {
                    made.add(partition);
                    return Pipeline.<HttpResponse<?>>named("own " + partition).build();
                })
                .build();
        assertThat(client.pipeline(to("a")).name()).isEqualTo("own a:80");
        client.pipeline(to("a"));
        client.pipeline(to("b"));
        assertThat(made).containsExactly("a:80", "b:80");
    }

    @Test
    void customPipelineThatIsMissingIsNamed() {
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(partition -> null)
                .build();
        assertThatThrownBy(() -> client.send(to("a"), BodyHandlers.ofString()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("a:80");
    }

    @Test
    void onePipelineForAllPartitionsTellsEachThingOnce() {
        ScriptedServer first = server(ScriptedServer.status(503, "busy"), ScriptedServer.status(200, "ok"));
        ScriptedServer second = server();
        Pipeline<HttpResponse<?>> one = Pipeline.<HttpResponse<?>>named("one")
                .retry(retry ->
                        retry.classifier(HttpOutcomes.transientFailures()).constantDelay(Duration.ZERO))
                .build();
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .customPipeline(partition -> one)
                .build();
        List<PipelineEvent> events = new CopyOnWriteArrayList<>();
        Registration registration = client.addListener(events::add);
        SendMode.BLOCKING.send(client, get(second), BodyHandlers.ofString());
        SendMode.BLOCKING.send(client, get(first), BodyHandlers.ofString());
        assertThat(events).extracting(PipelineEvent::kind).containsExactly(PipelineEvent.Kind.RETRY);
        registration.remove();
        registration.remove();
        first.then(ScriptedServer.status(503, "busy"), ScriptedServer.status(200, "ok"));
        SendMode.BLOCKING.send(client, get(first), BodyHandlers.ofString());
        assertThat(events).hasSize(1);
    }

    @Test
    void listenerThatThrowsChangesNothing() {
        ScriptedServer server = server(ScriptedServer.status(503, "busy"), ScriptedServer.status(200, "ok"));
        RecloserHttpClient client = quickClient();
        List<PipelineEvent> events = new CopyOnWriteArrayList<>();
        client.addListener(event -> {
            throw new IllegalStateException("a bug");
        });
        client.addListener(events::add);
        assertThat(SendMode.BLOCKING
                        .send(client, get(server), BodyHandlers.ofString())
                        .body())
                .isEqualTo("ok");
        assertThat(events).hasSize(1);
    }

    @Test
    void partitionsComeAndGoUnderManyThreads() {
        RecloserHttpClient client = quick().maxPartitions(3).build();
        IntStream.range(0, 2000).parallel().forEach(i -> client.pipeline(to("host" + i % 7)));
        assertThat(client.pipelines().keySet().stream().filter(key -> !key.equals("*")))
                .hasSizeLessThanOrEqualTo(3);
    }
}
