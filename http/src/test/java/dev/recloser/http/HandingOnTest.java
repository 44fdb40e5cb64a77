package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handing a held body on to the handler of the caller, as the JDK's client would have done. */
class HandingOnTest extends ClientFixture {

    private static final String MODES = "dev.recloser.http.SendMode#available";

    private static RecloserHttpClient single() {
        return RecloserHttpClient.newBuilder("test")
                .pipeline(standard -> standard.without("retry"))
                .build();
    }

    private static BodyHandler<String> readingInAMapping() {
        return info -> BodySubscribers.mapping(BodySubscribers.ofInputStream(), HandingOnTest::read);
    }

    private static String read(InputStream body) {
        try (body) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void mappingMayReadTheStreamOfAHeldBody(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(503, "busy"));
        assertThat(mode.send(single(), get(server), readingInAMapping()).body()).isEqualTo("busy");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void mappingMayReadAStreamThatTheTimeoutsCover(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(200, "fine"));
        RecloserHttpClient client = quick().timeoutsCoverBody().build();
        assertThat(mode.send(client, get(server), readingInAMapping()).body()).isEqualTo("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void mappingThatFailsToReadIsAFailureInEachMode(SendMode mode) {
        ScriptedServer server = server(
                ScriptedServer.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
                ScriptedServer.status(200, "fine"));
        assertThat(mode.send(quickClient(), get(server), readingInAMapping()).body())
                .isEqualTo("fine");
    }

    @ParameterizedTest
    @MethodSource(MODES)
    @SuppressWarnings("NullAway") // the bug
    void handlerThatReturnsNothingForAHeldBodyLeavesNoConnection(SendMode mode) {
        ScriptedServer server =
                server(ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 70000\r\n\r\n"));
        assertThat(mode.<String>start(single(), get(server), info -> null).error())
                .isNotNull();
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void subscriberWhoseGetBodyThrowsLeavesNoConnection(SendMode mode) {
        ScriptedServer server =
                server(ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 70000\r\n\r\n"));
        Throwable error = mode.<String>start(single(), get(server), info -> new Collecting() {
                    @Override
                    public CompletionStage<String> getBody() {
                        throw new IllegalStateException("a bug");
                    }
                })
                .error();
        assertThat(error).hasStackTraceContaining("a bug");
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void subscriberWhoseOnSubscribeThrowsLeavesNoConnection(SendMode mode) {
        ScriptedServer server =
                server(ScriptedServer.rawThenSilence("HTTP/1.1 503 Busy\r\nContent-Length: 70000\r\n\r\n"));
        Throwable error = mode.<String>start(single(), get(server), info -> new Collecting() {
                    @Override
                    public void onSubscribe(Flow.Subscription subscription) {
                        throw new IllegalStateException("a bug");
                    }
                })
                .error();
        assertThat(error).hasStackTraceContaining("a bug");
        Await.until(() -> server.requests().get(0).socket().isClosed());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void subscriberIsNotCalledByTwoThreadsAtOnce(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(503, "busy"));
        AtomicBoolean isOverlap = new AtomicBoolean();
        HttpResponse<String> response = mode.send(single(), get(server), info -> new Collecting() {
            private final CountDownLatch next = new CountDownLatch(1);
            private volatile boolean isSubscribing;

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                isSubscribing = true;
                super.onSubscribe(subscription);
                try {
                    isOverlap.compareAndSet(false, next.await(300, TimeUnit.MILLISECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                isSubscribing = false;
            }

            @Override
            public void onNext(List<ByteBuffer> item) {
                if (isSubscribing) {
                    next.countDown();
                }
                super.onNext(item);
            }
        });
        assertThat(response.body()).isEqualTo("4");
        assertThat(isOverlap).isFalse();
    }

    /** As the JDK's own future, whose dependents never run on a thread that the client needs. */
    @Test
    void dependentOfAHeldBodyMayBlockThoughTheClientHasOneThread() {
        ScriptedServer server = server(ScriptedServer.status(503, "busy"), ScriptedServer.status(200, "fine"));
        ExecutorService one = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "one");
            thread.setDaemon(true);
            return thread;
        });
        RecloserHttpClient client = quick().executor(one).build();
        CompletableFuture<String> body = client.sendAsync(
                        request(server, builder -> builder.POST(BodyPublishers.noBody())), BodyHandlers.ofString())
                .thenApply(first -> {
                    try {
                        return client.send(get(server), BodyHandlers.ofString()).body();
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(body.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo("fine");
        one.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void handlerThatThrowsEndsTheCallInTheSameWayForEachStatus(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(404, ""), ScriptedServer.status(503, ""));
        BodyHandler<String> buggy = info -> {
            throw new IllegalStateException("a bug");
        };
        Throwable ofJdk = mode.start(single(), get(server), buggy).error();
        Throwable ofHeld = mode.start(single(), get(server), buggy).error();
        assertThat(ofHeld.getClass()).isEqualTo(ofJdk.getClass());
    }

    @ParameterizedTest
    @MethodSource(MODES)
    void illegalArgumentOfASubscriberEndsTheCallInTheSameWayForEachStatus(SendMode mode) {
        ScriptedServer server = server(ScriptedServer.status(404, ""), ScriptedServer.status(503, ""));
        BodyHandler<String> buggy = info -> BodySubscribers.mapping(BodySubscribers.discarding(), nothing -> {
            throw new IllegalArgumentException("a bug");
        });
        Throwable ofJdk = mode.start(single(), get(server), buggy).error();
        Throwable ofHeld = mode.start(single(), get(server), buggy).error();
        assertThat(ofHeld.getClass()).isEqualTo(ofJdk.getClass());
    }

    /** Counts the bytes. */
    private static class Collecting implements BodySubscriber<String> {

        private final CompletableFuture<String> body = new CompletableFuture<>();
        private int bytes;

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> item) {
            item.forEach(buffer -> bytes += buffer.remaining());
        }

        @Override
        public void onError(Throwable throwable) {
            body.completeExceptionally(throwable);
        }

        @Override
        public void onComplete() {
            body.complete(String.valueOf(bytes));
        }
    }
}
