package dev.recloser.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.gateway.proxy.TestIdentity;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process of its own: what it writes, and how signals end it. */
@Timeout(60)
class GatewayProcessTest {

    @TempDir
    Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private HttpServer service;
    private Process process;
    private String setting = "";
    private String gateway;
    private String admin;

    @BeforeEach
    void startService() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/fails", exchange -> {
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        service.createContext("/waits", exchange -> {
            called.countDown();
            try {
                mayAnswer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
        mayAnswer.countDown();
        service.stop(0);
        threads.shutdownNow();
    }

    @Test
    void toldToEndItIsNotReadyFinishesWhatIsUnderWayAndEndsWithZero() throws Exception {
        start();
        CompletableFuture<HttpResponse<String>> underWay =
                client.sendAsync(request(gateway + "/waits"), BodyHandlers.ofString());
        called.await();
        process.destroy();
        awaitStatus(admin + "/readyz", 503);
        assertThat(get(admin + "/healthz").statusCode()).isEqualTo(200);
        awaitRefusal(gateway + "/fails");
        mayAnswer.countDown();
        assertThat(underWay.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(exitCode()).isZero();
        assertThat(log()).contains("INFO  going down: ", "INFO  all done").doesNotContain("Exception");
    }

    @Test
    void withADrainDelayItIsNotReadyButServesOn() throws Exception {
        start("--drain-delay", "1h");
        process.destroy();
        awaitStatus(admin + "/readyz", 503);
        process.destroy(); // changes nothing
        HttpResponse<String> served =
                HttpClient.newHttpClient().send(request(gateway + "/fails"), BodyHandlers.ofString());
        assertThat(served.statusCode()).isEqualTo(500);
        assertThat(served.headers().firstValue("Connection"))
                .as("the connection may go on")
                .isEmpty();
        assertThat(log()).contains("serving on for 1h").doesNotContain("going down");
    }

    @Test
    void theAccessLogIsWholeWhenTheProcessHasEnded() throws Exception {
        setting = "access-log: stdout\n";
        start("--drain-timeout", "300ms");
        get(gateway + "/fails");
        CompletableFuture<HttpResponse<String>> underWay =
                client.sendAsync(request(gateway + "/waits"), BodyHandlers.ofString());
        called.await();
        process.destroy();
        assertThat(exitCode()).isZero();
        assertThat(underWay).failsWithin(Duration.ofSeconds(10));
        List<String> lines = Files.readAllLines(folder.resolve("out"));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(2)).startsWith("{\"time\":").contains("\"path\":\"/fails\",\"status\":500");
        assertThat(lines.get(3)).contains("\"path\":\"/waits\",").endsWith("}");
    }

    @Test
    void whatIsUnderWayForTooLongIsCutOff() throws Exception {
        start("--drain-timeout", "300ms", "--drain-delay", "50ms");
        CompletableFuture<HttpResponse<String>> underWay =
                client.sendAsync(request(gateway + "/waits"), BodyHandlers.ofString());
        called.await();
        process.destroy();
        assertThat(exitCode()).isZero();
        assertThat(underWay).failsWithin(Duration.ofSeconds(10));
        assertThat(log())
                .containsSubsequence(
                        "serving on for 50ms", "at most 300ms for what is under way", "WARN  the time is over");
    }

    @Test
    void transitionsAreLoggedOnceEachWithTheNumbersThatLedToThem() throws Exception {
        start();
        for (int i = 0; i < 6; i++) {
            get(gateway + "/fails");
        }
        client.send(
                HttpRequest.newBuilder(URI.create(admin + "/circuits/a/close"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
        while (!log().contains("closed")) {
            Thread.sleep(20);
        }
        process.destroy();
        assertThat(exitCode()).isZero();
        List<String> circuits =
                log().lines().filter(line -> line.contains("circuit a")).toList();
        assertThat(circuits).hasSize(2);
        assertThat(circuits.get(0))
                .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z WARN  circuit a opened: 100 % of 5 calls failed;"
                        + " next probe in 30 s; last failure: upstream-5xx.*");
        assertThat(circuits.get(1)).endsWith(" INFO  circuit a closed: by hand; counting starts anew");
    }

    @Test
    void anotherConfigurationIsServedWhenTheFileHasChangedOrOnHangup() throws Exception {
        start();
        Path config = folder.resolve("gateway.yaml");
        String good = Files.readString(config);
        hangup();
        awaitLog("INFO  configuration reloaded: nothing changed");

        Files.writeString(config, good.replace("cluster: a", "cluster: b").replace("127.0.0.1:0", "127.0.0.1:1"));
        awaitLog("ERROR the configuration was not reloaded");
        awaitLog("gateway.yaml:2:8: admin is the same address");
        awaitLog("gateway.yaml:3:44: there is no cluster 'b'");
        assertThat(get(gateway + "/fails").statusCode()).isEqualTo(500);
        assertThat(get(admin + "/metrics").body()).contains("recloser_config_last_reload_successful 0.0");

        Path next = Files.writeString(
                folder.resolve("next"), good.replace("/**", "/other").replace("admin: 127.0.0.1:0\n", ""));
        Files.move(next, config, StandardCopyOption.REPLACE_EXISTING);
        awaitLog("INFO  configuration reloaded: routes changed");
        awaitLog("WARN  configuration reloaded: the change of admin takes effect after a restart");
        assertThat(get(gateway + "/fails").statusCode()).isEqualTo(404);
        assertThat(get(admin + "/metrics").body())
                .contains("recloser_config_last_reload_successful 1.0")
                .contains("recloser_config_reloads_total{result=\"failure\"} 1.0");

        Files.writeString(config, good);
        hangup();
        awaitStatus(gateway + "/fails", 500);
        process.destroy();
        assertThat(exitCode()).isZero();
    }

    @Test
    void aCertificateThatIsRenewedIsServedAndOneThatIsDamagedChangesNothing() throws Exception {
        TestIdentity first = new TestIdentity(folder, "first", "EC", "dns:localhost");
        TestIdentity second = new TestIdentity(folder, "second", "EC", "dns:localhost");
        renew(first);
        setting = "tls: { certificate: server.pem, key: server.key }\n";
        start();
        assertThat(gateway).startsWith("https://127.0.0.1:");
        assertThat(served()).isEqualTo(first.certificate());
        renew(second);
        awaitLog("configuration reloaded: tls changed");
        assertThat(served()).isEqualTo(second.certificate());
        Files.writeString(folder.resolve("server.pem"), "nothing of the kind");
        awaitLog("certificate: " + folder.resolve("server.pem") + " has no certificate");
        assertThat(log()).contains("was not reloaded");
        assertThat(served()).isEqualTo(second.certificate());
    }

    private void renew(TestIdentity identity) throws IOException {
        Files.write(folder.resolve("server.key"), Files.readAllBytes(identity.keyFile()));
        Files.write(folder.resolve("server.pem"), Files.readAllBytes(identity.certificateFile()));
    }

    private X509Certificate served() throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        URI at = URI.create(gateway);
        try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(at.getHost(), at.getPort())) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private void hangup() throws Exception {
        assertThat(new ProcessBuilder("kill", "-HUP", String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private void awaitLog(String text) throws Exception {
        while (!log().contains(text)) {
            assertThat(process.isAlive()).as(log()).isTrue();
            Thread.sleep(20);
        }
    }

    @Test
    void demoToldToEndInTheMiddleOfItsIncidentEndsWithZero() throws Exception {
        launch(Stream.of("demo", "--port=0", "--admin-port=0"));
        awaitOutput("GET /accounts/1 ");
        process.destroy();
        assertThat(exitCode()).isZero();
        assertThat(log()).doesNotContain("Exception");
        assertThat(Files.readString(folder.resolve("out"))).doesNotContain("checks of it hold");
    }

    private void start(String... options) throws Exception {
        Path config = Files.writeString(folder.resolve("gateway.yaml"), """
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                %sroutes: [ { match: { path: /** }, cluster: a } ]
                clusters: { a: { destinations: [ "http://127.0.0.1:%d" ] } }
                """.formatted(
                        setting, service.getAddress().getPort()));
        launch(Stream.of(Stream.of("gateway"), Stream.of(options), Stream.of(config.toString()))
                .flatMap(part -> part));
        Matcher lines = awaitOutput("listening on (\\S+)\nadmin on (\\S+)\n");
        gateway = lines.group(1);
        admin = lines.group(2);
    }

    private void launch(Stream<String> arguments) throws IOException {
        Stream<String> java = Stream.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                Main.class.getName());
        process = new ProcessBuilder(Stream.concat(java, arguments).toList())
                .redirectError(folder.resolve("log").toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    private Matcher awaitOutput(String regex) throws Exception {
        Pattern lines = Pattern.compile(regex);
        Matcher matcher = lines.matcher("");
        while (!matcher.find()) {
            assertThat(process.isAlive()).as(log()).isTrue();
            Thread.sleep(20);
            matcher = lines.matcher(Files.readString(folder.resolve("out")));
        }
        return matcher;
    }

    /** Everything that this test runs with, be it modules or not. */
    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(property -> System.getProperty(property, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private String log() throws IOException {
        Path log = folder.resolve("log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private int exitCode() throws InterruptedException {
        assertThat(process.waitFor(20, TimeUnit.SECONDS))
                .as("the process has ended")
                .isTrue();
        return process.exitValue();
    }

    /** It is not ready a moment before its socket is closed. */
    private static void awaitRefusal(String uri) throws Exception {
        HttpClient other = HttpClient.newHttpClient();
        boolean refused = false;
        while (!refused) {
            try {
                other.send(request(uri), BodyHandlers.ofString());
            } catch (ConnectException e) {
                refused = true;
            } catch (IOException e) {
                // accepted, but closed
            }
        }
    }

    private void awaitStatus(String uri, int status) throws Exception {
        while (get(uri).statusCode() != status) {
            Thread.sleep(20);
        }
    }

    private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
        return client.send(request(uri), BodyHandlers.ofString());
    }

    private static HttpRequest request(String uri) {
        return HttpRequest.newBuilder(URI.create(uri)).build();
    }
}
