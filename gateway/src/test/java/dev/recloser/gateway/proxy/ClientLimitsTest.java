package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.gateway.config.ClientsConfig;
import dev.recloser.gateway.config.ClientsConfig.Connections;
import dev.recloser.gateway.config.ClientsConfig.Sizes;
import dev.recloser.gateway.config.ClientsConfig.Times;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many connections clients may have, and how large the heads of their requests may be. */
@ExtendWith(LeakCheck.class)
class ClientLimitsTest {

    private static final Sizes SMALL = new Sizes(1024, 2048, 5);
    private static final String HEAD = "GET /x HTTP/1.1\r\nHost: test\r\n";

    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
    }

    private TestGateway.Settings settings(Connections connections, Times times, Sizes sizes) {
        return new TestGateway.Settings()
                .clients(new ClientsConfig(connections, times, sizes, false, false))
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY);
    }

    private TestGateway.Settings settings(OptionalInt all, OptionalInt perAddress) {
        return settings(new Connections(all, perAddress), ClientsConfig.USUAL.times(), ClientsConfig.USUAL.sizes());
    }

    private void startWith(Sizes sizes) throws IOException {
        gateway = TestGateway.of(settings(ClientsConfig.USUAL.connections(), ClientsConfig.USUAL.times(), sizes));
    }

    private void assertOnlyOneMay() throws IOException {
        try (RawClient first = gateway.client()) {
            assertThat(first.get("/1").answer().status()).isEqualTo(200);
            try (RawClient second = gateway.client()) {
                assertThat(second.isClosed()).isTrue();
            }
            assertThat(first.get("/2").answer().status()).isEqualTo(200);
        }
        TestGateway.until(() -> gateway.gateway().clientConnections() == 0);
        assertThat(gateway.get("/3").status()).isEqualTo(200);
        assertThat(gateway.gateway().clientConnectionsRefused()).isEqualTo(1);
        assertThat(gateway.gateway().clientConnectionsTotal()).isEqualTo(2);
    }

    @Test
    void aConnectionBeyondTheLimitIsClosedAtOnce() throws IOException {
        gateway = TestGateway.of(settings(OptionalInt.of(1), OptionalInt.empty()));
        assertOnlyOneMay();
    }

    @Test
    void aConnectionBeyondTheLimitOfItsAddressIsClosedAtOnce() throws IOException {
        gateway = TestGateway.of(settings(OptionalInt.of(100), OptionalInt.of(1)));
        assertOnlyOneMay();
    }

    @Test
    void newConnectionsGoByTheNewConfiguration() throws IOException {
        gateway = TestGateway.of(settings(OptionalInt.of(1), OptionalInt.empty()));
        try (RawClient first = gateway.client()) {
            assertThat(first.get("/1").answer().status()).isEqualTo(200);
            Times hasty = new Times(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    OptionalLong.empty());
            Connections two = new Connections(OptionalInt.of(2), OptionalInt.empty());
            assertThat(gateway.gateway()
                            .reload(settings(two, hasty, SMALL).config())
                            .describe())
                    .isEqualTo("clients changed");
            try (RawClient second = gateway.client()) {
                second.send(HEAD + "a: 1\r\nb: 1\r\nc: 1\r\nd: 1\r\ne: 1\r\n\r\n");
                assertThat(second.answer().status()).isEqualTo(431);
            }
            assertThat(first.get("/1").answer().status()).isEqualTo(200);
            assertThat(first.readToEnd()).as("closed when idle").isEmpty();
        }
    }

    @Test
    void aHeadThatIsLargerThanItMayBeIsRefused() throws IOException {
        startWith(SMALL);
        assertThat(gateway.send("GET /" + "x".repeat(1024) + " HTTP/1.1\r\nHost: test\r\n\r\n")
                        .status())
                .isEqualTo(414);
        assertThat(gateway.send(HEAD + "a: " + "x".repeat(2048) + "\r\n\r\n").status())
                .isEqualTo(431);
        Received tooMany = gateway.send(HEAD + "a: 1\r\na: 1\r\na: 1\r\na: 1\r\na: 1\r\n\r\n");
        assertThat(tooMany.status()).isEqualTo(431);
        assertThat(tooMany.body()).contains("\"reason\":\"bad-request\"");
        String chunked = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
        assertThat(gateway.send(chunked + "a: 1\r\na: 1\r\na: 1\r\na: 1\r\na: 1\r\n\r\n")
                        .status())
                .as("trailers count")
                .isEqualTo(431);
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(HEAD + "a: 1\r\na: 1\r\na: 1\r\nb: " + "x".repeat(1024) + "\r\n\r\n");
                assertThat(client.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aHeadMayBeLargerWhereThatIsConfigured() throws IOException {
        startWith(new Sizes(100_000, 100_000, 500));
        String target = "/" + "x".repeat(50_000);
        assertThat(gateway.send("GET " + target + " HTTP/1.1\r\nHost: test\r\na: " + "y".repeat(50_000) + "\r\n"
                                + "b: 1\r\n".repeat(400) + "\r\n")
                        .status())
                .isEqualTo(200);
        assertThat(service.requests().get(0).target()).isEqualTo(target);
    }
}
