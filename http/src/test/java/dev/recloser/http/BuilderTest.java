package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Pipeline;
import dev.recloser.SettingsException;
import dev.recloser.StandardPipelineBuilder;
import dev.recloser.spi.Strategy;
import java.net.CookieManager;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

class BuilderTest extends ClientFixture {

    private static final HttpRequest ANY =
            HttpRequest.newBuilder(URI.create("http://a/")).build();

    @Test
    void defaultsAreThoseOfTheStandardPipeline() {
        Pipeline<HttpResponse<?>> pipeline =
                RecloserHttpClient.newHttpClient("test").pipeline(ANY);
        assertThat(pipeline.strategies())
                .extracting(Strategy::name)
                .containsExactly("totalTimeout", "concurrencyLimiter", "retry", "test/a:80", "attemptTimeout");
        assertThat(pipeline.warnings()).isEmpty();
        assertThat(pipeline.describe().toString())
                .contains("limit=30 s", "maxConcurrent=1000", "maxRetries=3", "exponentialBackoff=2 s", "jitter=true")
                .contains("failureRatio=0.1", "minimumThroughput=100", "samplingDuration=30 s", "breakDuration=5 s")
                .contains("limit=10 s", "delayFrom=the outcome", "status 408, 429, 5xx but 501 and 505");
    }

    @Test
    void strategiesAreSwitchedOffByName() {
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.without(StandardPipelineBuilder.RETRY)
                        .without(StandardPipelineBuilder.CONCURRENCY_LIMITER))
                .pipeline(standard -> standard.without(StandardPipelineBuilder.TOTAL_TIMEOUT))
                .build();
        assertThat(client.pipeline(ANY).strategies())
                .extracting(Strategy::name)
                .containsExactly("test/a:80", "attemptTimeout");
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        RecloserHttpClientBuilder builder = RecloserHttpClient.newBuilder("test")
                .maxPartitions(0)
                .connectTimeout(Duration.ofSeconds(1))
                .around(HttpClient.newHttpClient())
                .pipeline(standard ->
                        standard.attemptTimeout(Duration.ofSeconds(40)).retry(retry -> retry.maxRetries(-1)));
        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        wrong -> assertThat(wrong.problems())
                                .extracting(SettingsException.Problem::setting)
                                .containsExactly(
                                        "test.maxPartitions",
                                        "test.around",
                                        "test.retry.maxRetries",
                                        "test.attemptTimeout",
                                        "test.circuitBreaker.samplingDuration"));
    }

    @Test
    void standardAndCustomPipelinesExcludeEachOther() {
        RecloserHttpClientBuilder builder = quick().customPipeline(
                        partition -> Pipeline.<HttpResponse<?>>named(partition).build());
        assertThatThrownBy(builder::build).hasMessageContaining("test.customPipeline");
    }

    @Test
    void nameMustNotBeBlank() {
        assertThatThrownBy(() -> RecloserHttpClient.newHttpClient(" "))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("name is ' ', must be not blank");
    }

    @Test
    void secondLayerIsRefusedUnlessItIsAllowed() {
        RecloserHttpClient inner = RecloserHttpClient.newHttpClient("inner");
        RecloserHttpClientBuilder outer = RecloserHttpClient.newBuilder("outer").around(inner);
        assertThatThrownBy(outer::build)
                .isInstanceOf(SettingsException.class)
                .hasMessageContainingAll("inner", "outer", "allowSecondLayer()");
        assertThat(outer.allowSecondLayer().build().name()).isEqualTo("outer");
    }

    @Test
    void secondLayerThatIsAllowedWorks() {
        ScriptedServer server = server(
                ScriptedServer.status(503, "busy"),
                ScriptedServer.status(503, "busy"),
                ScriptedServer.status(200, "ok"));
        RecloserHttpClient inner = RecloserHttpClient.newBuilder("inner")
                .pipeline(standard -> standard.without("retry"))
                .build();
        for (SendMode mode : SendMode.available()) {
            RecloserHttpClient outer = quick().around(inner).allowSecondLayer().build();
            assertThat(mode.send(outer, get(server), BodyHandlers.ofString()).body())
                    .isEqualTo("ok");
        }
    }

    @Test
    void settingsOfTheJdksClientReachIt() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        CookieManager cookies = new CookieManager();
        ProxySelector direct = HttpClient.Builder.NO_PROXY;
        SSLContext context = SSLContext.getDefault();
        HttpClient.Builder builder = RecloserHttpClient.newBuilder("test");
        HttpClient client = builder.connectTimeout(Duration.ofSeconds(3))
                .cookieHandler(cookies)
                .executor(executor)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .proxy(direct)
                .sslContext(context)
                .sslParameters(new SSLParameters(new String[] {"TLS_AES_128_GCM_SHA256"}))
                .version(HttpClient.Version.HTTP_1_1)
                .priority(7)
                .build();
        assertThat(client.connectTimeout()).contains(Duration.ofSeconds(3));
        assertThat(client.cookieHandler()).contains(cookies);
        assertThat(client.executor()).contains(executor);
        assertThat(client.followRedirects()).isEqualTo(HttpClient.Redirect.NORMAL);
        assertThat(client.proxy()).contains(direct);
        assertThat(client.sslContext()).isSameAs(context);
        assertThat(client.sslParameters().getCipherSuites()).containsExactly("TLS_AES_128_GCM_SHA256");
        assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(client.authenticator()).isEmpty();
        assertThat(client.newWebSocketBuilder()).isNotNull();
        executor.shutdown();
    }

    @Test
    void redirectsArePartOfOneAttempt() {
        ScriptedServer server = server();
        server.then(
                ScriptedServer.status(302, "", "Location: /elsewhere"),
                ScriptedServer.status(503, "busy"),
                ScriptedServer.status(302, "", "Location: /elsewhere"),
                ScriptedServer.status(200, "ok"));
        RecloserHttpClient client =
                quick().followRedirects(HttpClient.Redirect.ALWAYS).build();
        HttpResponse<String> response = SendMode.BLOCKING.send(client, get(server), BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.previousResponse()).isPresent();
        assertThat(response.uri().getPath()).isEqualTo("/elsewhere");
        assertThat(server.requests())
                .extracting(ScriptedServer.Request::target)
                .containsExactly("/", "/elsewhere", "/", "/elsewhere");
        assertThat(circuit(client, get(server)).calls()).isEqualTo(2);
    }

    @Test
    void changingTheBuilderAfterwardsChangesNoClient() {
        RecloserHttpClientBuilder builder = RecloserHttpClient.newBuilder("test");
        RecloserHttpClient client = builder.build();
        builder.pipeline(standard -> standard.without("retry")).partitionBy(request -> "one");
        assertThat(client.pipeline(ANY).strategies()).hasSize(5);
        assertThat(client.pipelines()).containsOnlyKeys("a:80");
    }

    @Test
    void requestAndHandlerMustBeThere() {
        RecloserHttpClient client = quickClient();
        assertThatThrownBy(() -> client.sendAsync(null, BodyHandlers.ofString()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("request");
        assertThatThrownBy(() -> client.send(ANY, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
    }
}
