package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.OutcomeClass;
import dev.recloser.TimedOutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HttpOutcomesTest {

    private static OutcomeClass of(Throwable error) {
        return HttpOutcomes.transientFailures().classify(null, error);
    }

    @Test
    void transientStatusesAreTheseAndNoOthers() {
        assertThat(IntStream.range(100, 700).filter(HttpOutcomes::isTransient))
                .contains(408, 429, 500, 502, 503, 504, 506, 507, 508, 511, 599)
                .hasSize(2 + 98)
                .doesNotContain(501, 505, 600);
    }

    @ParameterizedTest
    @MethodSource
    void failures(Throwable error) {
        assertThat(of(error)).isEqualTo(OutcomeClass.FAILURE);
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IOException("broken"),
                new IOException("broken", new IOException()),
                new IOException("broken", new UncheckedIOException(new IOException())),
                new IOException("broken", new CancelledKeyException()),
                new ConnectException().initCause(new UnresolvedAddressException()),
                new UnknownHostException(),
                new SSLHandshakeException("no"),
                new HttpTimeoutException("late"),
                new HttpConnectTimeoutException("late"),
                new TimedOutException("p", "timeout", 1, null));
    }

    @ParameterizedTest
    @MethodSource
    void ignored(Throwable error) {
        assertThat(of(error)).isEqualTo(OutcomeClass.IGNORED);
    }

    static Stream<Throwable> ignored() {
        return Stream.of(
                new IllegalArgumentException(),
                new IOException("a bug", new IllegalStateException()),
                new SecurityException(),
                new CancellationException(),
                new InterruptedException(),
                new ClosedByInterruptException(),
                new AssertionError());
    }
}
