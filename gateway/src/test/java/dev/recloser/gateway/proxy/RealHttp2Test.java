package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.FreePort;
import dev.recloser.gateway.InstalledProgram;
import dev.recloser.gateway.config.DestinationTls;
import dev.recloser.gateway.config.ListenerTls;
import dev.recloser.gateway.config.UpstreamConfig;
import dev.recloser.gateway.config.UpstreamProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HAProxy speaks HTTP/2 with the gateway on both of its sides: as a client in front of it, and as a service behind. */
@ExtendWith(LeakCheck.class)
class RealHttp2Test {

    private static final String CONFIG = """
            defaults
                mode http
                timeout connect 5s
                timeout client 10s
                timeout server 10s
            frontend front
                bind 127.0.0.1:%d
                default_backend gateway
            backend gateway
                server gateway 127.0.0.1:%d %s
            frontend service
                bind 127.0.0.1:%d %s
                default_backend service
            backend service
                server service 127.0.0.1:%d
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bodiesGoBothWaysThroughHaproxyOnBothSides(boolean tls) throws Exception {
        String haproxy = InstalledProgram.find("haproxy", "haproxy");
        TestIdentity identity = new TestIdentity(directory, "own", "EC", "dns:localhost,ip:127.0.0.1");
        Path both = Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(identity.certificateFile()) + Files.readString(identity.keyFile()));
        int front = FreePort.find();
        int behind = FreePort.find();
        TestGateway.Settings settings = new TestGateway.Settings()
                .connectTimeout(Duration.ofSeconds(5))
                .upstream(new UpstreamConfig(
                        UpstreamProtocol.HTTP_2,
                        new DestinationTls(
                                Optional.of(identity.authority()), Optional.empty(), true, Optional.empty())));
        if (tls) {
            settings.secure().tls(new ListenerTls(identity.config(), Optional.empty()));
        }
        try (ScriptedService service = new ScriptedService((head, connection) ->
                        connection.send(ScriptedService.answer(200, connection.readBody(head, false))));
                TestGateway gateway = TestGateway.of(
                        settings.cluster(TestGateway.ONLY, behind).route("/**", TestGateway.ONLY))) {
            Path config = Files.writeString(
                    directory.resolve("haproxy.cfg"),
                    CONFIG.formatted(
                            front,
                            gateway.address().getPort(),
                            tls ? "ssl alpn h2 verify required ca-file " + identity.certificateFile() : "proto h2",
                            behind,
                            tls ? "ssl alpn h2 crt " + both : "proto h2",
                            service.port()));
            Process process = new ProcessBuilder(haproxy, "-f", config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("haproxy.log").toFile())
                    .start();
            try {
                awaitListening(front);
                awaitListening(behind); // it begins with one after the other
                assertThat(process.isAlive()).isTrue();
                String body = "0123456789".repeat(100_000);
                String request =
                        "POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
                for (int i = 0; i < 3; i++) {
                    Received answer =
                            RawClient.exchange(new InetSocketAddress(InetAddress.getLoopbackAddress(), front), request);
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.body()).isEqualTo(body);
                    assertThat(answer.header("via")).isEqualTo("2 recloser");
                }
                Received seen = service.requests().get(0);
                assertThat(seen.header("via")).isEqualTo("2 recloser");
                assertThat(seen.header("x-forwarded-proto")).isEqualTo(tls ? "https" : "http");
                assertThat(gateway.count(Ending.OK)).isEqualTo(3);
            } finally {
                process.destroy();
                assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static void awaitListening(int port) {
        TestGateway.until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }
}
