package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What later JDKs have added to the client, its builder and its responses. */
class NewerJdkTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    @Test
    @EnabledForJreRange(min = JRE.JAVA_19)
    void localAddressReachesTheTransport() throws Exception {
        ScriptedServer server = server();
        InetAddress local = InetAddress.getByName("127.0.0.3");
        HttpClient.Builder builder = quick();
        HttpClient.Builder same = (HttpClient.Builder) HttpClient.Builder.class
                .getMethod("localAddress", InetAddress.class)
                .invoke(builder, local);
        assertThat(same).isSameAs(builder);
        assertThat(same.build().send(get(server), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        assertThat(server.requests().get(0).socket().getInetAddress()).isEqualTo(local);
    }

    @ParameterizedTest
    @MethodSource(MODES)
    @EnabledForJreRange(min = JRE.JAVA_25)
    void answerThatWasHeldBackHasTheLabelOfItsConnection(SendMode mode) throws Exception {
        ScriptedServer server = server(ScriptedServer.status(503, "busy"));
        HttpResponse<String> response = mode.send(quickClient(), get(server), BodyHandlers.ofString());
        Object label = HttpResponse.class.getMethod("connectionLabel").invoke(response);
        assertThat((Optional<?>) label).isPresent();
    }
}
