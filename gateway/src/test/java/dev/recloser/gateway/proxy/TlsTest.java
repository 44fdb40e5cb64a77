package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.recloser.gateway.config.DestinationTls;
import dev.recloser.gateway.config.ListenerTls;
import dev.recloser.gateway.config.UpstreamConfig;
import dev.recloser.gateway.config.UpstreamProtocol;
import dev.recloser.time.TimeSource;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with clients and with services. */
@ExtendWith(LeakCheck.class)
class TlsTest {

    private static final String HELLO = ScriptedService.answer(200, "hello");

    @TempDir
    static Path directory;

    private static TestIdentity own;
    private static TestIdentity other;

    private AutoCloseable service = () -> {};
    private TestGateway gateway;

    @BeforeAll
    static void makeCertificates() throws Exception {
        own = new TestIdentity(directory, "own", "EC", "dns:localhost,ip:127.0.0.1");
        other = new TestIdentity(directory, "other", "RSA", "dns:elsewhere.example");
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        service.close();
        TestGateway.until(() -> gateway.gateway().clientConnections() == 0);
    }

    private ScriptedService startWithClients(ListenerTls tls) throws IOException {
        ScriptedService scripted = ScriptedService.answering(HELLO);
        service = scripted;
        gateway = TestGateway.of(settings(tls, scripted, "/**"));
        return scripted;
    }

    private static TestGateway.Settings settings(ListenerTls tls, ScriptedService scripted, String path) {
        return new TestGateway.Settings()
                .tls(tls)
                .cluster(TestGateway.ONLY, scripted)
                .route(path, TestGateway.ONLY);
    }

    private static ListenerTls by(TestIdentity identity) {
        return new ListenerTls(identity.config(), Optional.empty());
    }

    // ---- clients

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void clientsAgreeOnTheVersionOfHttp(HttpClient.Version version) throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        HttpResponse<String> answer = client(null).send(request(version), BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.version()).isEqualTo(version);
        assertThat(scripted.requests().get(0).header("x-forwarded-proto")).isEqualTo("https");
    }

    @Test
    void itIsKnownWhenTheCertificatesThatAreShownExpire() throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        assertThat(gateway.gateway().certificateEnds())
                .containsExactly(entry(
                        own.certificateFile(), own.certificate().getNotAfter().toInstant()));
        gateway.gateway().reload(settings(by(other), scripted, "/**").config());
        assertThat(gateway.gateway().certificateEnds()).containsOnlyKeys(other.certificateFile());
    }

    @Test
    void whoDoesNotSpeakTlsIsClosedAndTheGatewayGoesOn() throws Exception {
        startWithClients(by(own));
        assertThatThrownBy(() -> gateway.get("/")).isInstanceOf(IOException.class);
        HttpResponse<String> answer = client(null).send(request(HttpClient.Version.HTTP_1_1), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void aClientMustHaveACertificateWhereOneIsAskedFor() throws Exception {
        startWithClients(new ListenerTls(own.config(), Optional.of(other.authority())));
        assertThat(client(other)
                        .send(request(HttpClient.Version.HTTP_2), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        assertThatThrownBy(() -> client(null).send(request(HttpClient.Version.HTTP_2), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> client(own).send(request(HttpClient.Version.HTTP_2), BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anAnswerThatBreaksOffIsNoCleanEndOfTls() throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        scripted.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            connection.close();
        });
        try (RawConnection client = new RawConnection(socket())) {
            client.send("GET / HTTP/1.0\r\nHost: test\r\n\r\n");
            assertThat(client.readHead()).contains("200 OK");
            assertThatThrownBy(client::readToEnd).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theLastAnswerIsReadToACleanEndWhileTheClientStillSends() throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        scripted.now((head, connection) -> connection.send("HTTP/1.1 413 X\r\nContent-Length: 3\r\n\r\nbig"));
        try (RawConnection client = new RawConnection(socket())) {
            client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n\r\n");
            client.send("x".repeat(10_000));
            assertThat(client.readHead()).contains("413", "connection: close");
            assertThat(client.readToEnd()).isEqualTo("big");
        }
    }

    @Test
    void aSessionCanBeResumedAfterAReloadThatDoesNotChangeTls() throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        Plan before = Plan.of(settings(by(own), scripted, "/**").config(), null, TimeSource.system());
        Plan after = Plan.of(settings(by(own), scripted, "/other/**").config(), before, TimeSource.system());
        assertThat(after.tls()).isNotNull().isSameAs(before.tls());
        before.clusters().values().forEach(Cluster::close);
    }

    @Test
    void anotherCertificateHoldsForTheNextConnectionAndDisturbsNoOther() throws Exception {
        ScriptedService scripted = startWithClients(by(own));
        try (RawConnection before = new RawConnection(socket())) {
            before.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(before.readHead()).contains("200 Scripted");
            assertThat(before.readBytes(5)).isEqualTo("hello");
            gateway.gateway().reload(settings(by(other), scripted, "/**").config());
            assertThatThrownBy(() -> client(null).send(request(HttpClient.Version.HTTP_2), BodyHandlers.ofString()))
                    .isInstanceOf(SSLException.class);
            before.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(before.readHead()).contains("200 Scripted");
        }
    }

    private HttpRequest request(HttpClient.Version version) {
        return HttpRequest.newBuilder(java.net.URI.create(
                        "https://localhost:" + gateway.address().getPort() + "/"))
                .version(version)
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    private static HttpClient client(TestIdentity identity) throws Exception {
        return HttpClient.newBuilder().sslContext(context(identity)).build();
    }

    private Socket socket() throws Exception {
        SSLSocket socket = (SSLSocket) context(null)
                .getSocketFactory()
                .createSocket("localhost", gateway.address().getPort());
        socket.startHandshake();
        return socket;
    }

    /** One that trusts the gateway, and may have a certificate itself. */
    private static SSLContext context(TestIdentity identity) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("own", own.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyStore mine = KeyStore.getInstance(KeyStore.getDefaultType());
        mine.load(null, null);
        if (identity != null) {
            mine.setKeyEntry(
                    "own", identity.key(), new char[0], new java.security.cert.Certificate[] {identity.certificate()});
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(mine, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    // ---- services

    private void startBefore(TestIdentity ofService, UpstreamProtocol spoken, UpstreamConfig upstream)
            throws Exception {
        SslContext tls = Tls.forClients(by(ofService));
        Http2Peer peer = new Http2Peer(
                tls,
                Http2Settings.defaultSettings(),
                stream -> stream.headers(
                                false,
                                ":status",
                                "200",
                                "scheme",
                                String.valueOf(stream.head().scheme()))
                        .data("hello", true));
        service = peer;
        int port = peer.port();
        if (spoken == UpstreamProtocol.HTTP_1) {
            ScriptedService scripted = ScriptedService.answering(HELLO);
            TestGateway front = TestGateway.of(settings(by(ofService), scripted, "/**"));
            port = front.address().getPort();
            service = () -> {
                front.close();
                scripted.close();
                peer.close();
            };
        }
        gateway = TestGateway.of(new TestGateway.Settings()
                .upstream(upstream)
                .secure()
                .connectTimeout(Duration.ofSeconds(5))
                .cluster(TestGateway.ONLY, port)
                .route("/**", TestGateway.ONLY));
    }

    private static UpstreamConfig trusting(UpstreamProtocol protocol, TestIdentity authority, String name) {
        return new UpstreamConfig(
                protocol,
                new DestinationTls(
                        Optional.of(authority.authority()), Optional.ofNullable(name), true, Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource(UpstreamProtocol.class)
    void aServiceThatIsVouchedForIsConnectedTo(UpstreamProtocol protocol) throws Exception {
        startBefore(own, protocol, trusting(protocol, own, null));
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/").answer().body()).isEqualTo("hello");
            Received second = client.get("/").answer();
            assertThat(second.body()).isEqualTo("hello");
            assertThat(second.header("scheme")).isEqualTo(protocol == UpstreamProtocol.HTTP_2 ? "https" : null);
        }
        assertThat(gateway.cluster().counters().upstreamConnected()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(UpstreamProtocol.class)
    void aServiceThatNobodyVouchesForCannotBeConnectedTo(UpstreamProtocol protocol) throws Exception {
        startBefore(own, protocol, trusting(protocol, other, null));
        Received answer = gateway.get("/");
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.body()).contains("\"reason\":\"connect\"");
        assertThat(gateway.count(Ending.CONNECT)).isEqualTo(1);
    }

    @Test
    void aServiceOfAnotherNameCannotBeConnectedToUnlessThatNameIsGiven() throws Exception {
        startBefore(other, UpstreamProtocol.HTTP_2, trusting(UpstreamProtocol.HTTP_2, other, null));
        assertThat(gateway.get("/").body()).contains("\"reason\":\"connect\"");
        stop();
        startBefore(other, UpstreamProtocol.HTTP_2, trusting(UpstreamProtocol.HTTP_2, other, "elsewhere.example"));
        assertThat(gateway.get("/").body()).isEqualTo("hello");
    }

    @Test
    void whatIsNotVerifiedIsConnectedToWhoeverItIs() throws Exception {
        startBefore(
                other,
                UpstreamProtocol.HTTP_2,
                new UpstreamConfig(
                        UpstreamProtocol.HTTP_2,
                        new DestinationTls(Optional.empty(), Optional.empty(), false, Optional.empty())));
        assertThat(gateway.get("/").body()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatEndsWithItsConnectionIsCompleteOnlyIfTlsSaysSo(boolean said) throws Exception {
        ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        service = listener;
        Thread thread = new Thread(() -> {
            try (Socket plain = listener.accept();
                    SSLSocket tls = (SSLSocket) context(own).getSocketFactory().createSocket(plain, null, false)) {
                RawConnection connection = new RawConnection(tls);
                connection.readHead();
                connection.send("HTTP/1.1 200 OK\r\n\r\nhello");
                if (!said) {
                    plain.shutdownOutput();
                }
            } catch (Exception e) {
                // the connection is lost
            }
        });
        thread.start();
        gateway = TestGateway.of(new TestGateway.Settings()
                .upstream(trusting(UpstreamProtocol.HTTP_1, own, null))
                .secure()
                .connectTimeout(Duration.ofSeconds(5))
                .cluster(TestGateway.ONLY, listener.getLocalPort())
                .route("/**", TestGateway.ONLY));
        try (RawClient client = gateway.client().send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.readToEnd()).isEqualTo(said ? "5\r\nhello\r\n0\r\n\r\n" : "5\r\nhello\r\n");
        }
        assertThat(gateway.awaitCount(said ? Ending.OK : Ending.BODY_CUT, 1)).isTrue();
        thread.join();
    }

    @Test
    void aServiceThatDoesNotSpeakTlsCannotBeConnectedTo() throws Exception {
        ScriptedService scripted = ScriptedService.answering(HELLO);
        service = scripted;
        gateway = TestGateway.of(new TestGateway.Settings()
                .secure()
                .cluster(TestGateway.ONLY, scripted)
                .route("/**", TestGateway.ONLY));
        assertThat(gateway.get("/").body()).containsAnyOf("\"reason\":\"connect\"", "\"reason\":\"connect-timeout\"");
    }
}
