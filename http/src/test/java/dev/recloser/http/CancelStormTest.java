package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.Pipeline;
import dev.recloser.concurrencylimiter.ConcurrencyLimiter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads, cancelled at any moment: nothing is left behind. */
class CancelStormTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";
    private static final int CALLS = 600;
    private static final int AT_ONCE = 100;

    private static final ScriptedServer.Answer ANY = (request, out) -> {
        int kind = ThreadLocalRandom.current().nextInt(10);
        if (kind == 0) {
            return ScriptedServer.silence().write(request, out);
        }
        if (kind == 1) {
            out.write("HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nab".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return false;
        }
        if (kind == 2) {
            return ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nab")
                    .write(request, out);
        }
        return ScriptedServer.status(kind < 6 ? 503 : 200, "x".repeat(100 * kind))
                .write(request, out);
    };

    @ParameterizedTest
    @MethodSource(MODES)
    void nothingIsLeftBehindByCallsThatAreCancelledAtAnyMoment(SendMode mode) {
        ScriptedServer server = server(ANY);
        RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.attemptTimeout(Duration.ofMillis(100))
                        .without("circuitBreaker")
                        .concurrencyLimiter(AT_ONCE)
                        .retry(retry -> retry.maxRetries(2).constantDelay(Duration.ofMillis(5))))
                .timeoutsCoverBody()
                .build();
        Random random = new Random(1);
        List<SendMode.Sent<?>> sent = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            HttpRequest request = i % 3 == 0
                    ? request(server, builder -> builder.timeout(Duration.ofMillis(1 + random.nextInt(150))))
                    : get(server);
            sent.add(
                    i % 2 == 0
                            ? mode.start(client, request, BodyHandlers.ofString())
                            : mode.start(client, request, BodyHandlers.ofInputStream()));
            if (i >= 50) {
                LockSupport.parkNanos(random.nextInt(2_000_000));
                sent.get(i - random.nextInt(50)).cancel();
            }
        }
        sent.forEach(each -> {
            var unused = each.future()
                    .handle((response, error) -> {
                        Leftovers.discard(response);
                        return true;
                    })
                    .join();
        });
        Pipeline<HttpResponse<?>> pipeline = client.pipeline(get(server));
        ConcurrencyLimiter limiter = pipeline.strategy(ConcurrencyLimiter.class).orElseThrow();
        Await.until(() -> limiter.snapshot().inFlight() == 0);
        Await.until(() -> pipeline.abandoned() == 0);
        // Not shutdown: an interrupt makes send of the JDK's client lose a response that has just come, and with it the
        // stream of its body.
        client.shutdownNow();
        Await.until(client::isTerminated);
        assertThat(client.isTerminated()).isTrue();
    }

    /** The keys cannot be had, so that nothing is sent and calls are short: many of them begin while the client is shut down. */
    @Test
    void threadWhoseCallBeganDuringAShutdownKeepsNoInterrupt() throws InterruptedException {
        HttpClient transport = HttpClient.newHttpClient();
        AtomicInteger interrupted = new AtomicInteger();
        for (int round = 0; round < 100; round++) {
            RecloserHttpClient client = RecloserHttpClient.newBuilder("test")
                    .around(transport)
                    .partitionBy(request -> {
                        throw new IllegalStateException("no key");
                    })
                    .build();
            CountDownLatch begun = new CountDownLatch(4);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    begun.countDown();
                    sendUntilShutDown(client);
                    if (Thread.interrupted()) {
                        interrupted.incrementAndGet();
                    }
                });
                threads.add(thread);
                thread.start();
            }
            begun.await();
            client.shutdownNow();
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(interrupted).hasValue(0);
    }

    private static void sendUntilShutDown(RecloserHttpClient client) {
        HttpRequest request = get(URI.create("http://127.0.0.1/"));
        while (true) {
            try {
                client.send(request, BodyHandlers.discarding());
            } catch (IOException shutDown) {
                return;
            } catch (IllegalStateException noKey) {
                assertThat(noKey).hasMessage("no key");
            } catch (InterruptedException wrong) {
                throw new AssertionError(wrong);
            }
        }
    }
}
