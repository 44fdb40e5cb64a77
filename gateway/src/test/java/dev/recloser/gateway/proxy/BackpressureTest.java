package dev.recloser.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Large bodies in both directions: whoever is slow holds the other side back, is measured, and costs no memory. */
@ExtendWith(LeakCheck.class)
class BackpressureTest {

    private static final String UPLOAD = "POST /x HTTP/1.1\r\nHost: test\r\n";
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ScriptedService service;
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        service = ScriptedService.answering(ScriptedService.answer(200, "hello"));
        gateway = gateway(10_000);
    }

    private TestGateway gateway(long timeout) throws IOException {
        return TestGateway.of(new TestGateway.Settings()
                .timeout(timeout)
                .idleTimeout(timeout)
                .cluster(TestGateway.ONLY, service)
                .route("/**", TestGateway.ONLY));
    }

    private void restartWithTimeouts(long millis) throws IOException {
        gateway.close();
        gateway = gateway(millis);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        service.close();
        threads.shutdownNow();
    }

    @Test
    void largeBodiesPassUnchangedBothWays() throws IOException {
        service.now((head, connection) -> {
            String body = connection.readBody(head, false);
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.send(Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
        });
        StringBuilder body = new StringBuilder();
        for (int i = 0; body.length() < 3 * MIB; i++) {
            body.append(i).append(',');
        }
        try (RawClient client = gateway.client()) {
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> {
                try {
                    client.send(UPLOAD + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(client.answer().body()).isEqualTo(body.toString());
            upload.join();
            String chunk = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n";
            client.send(UPLOAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk + "1\r\n!\r\n0\r\n\r\n");
            assertThat(client.answer().body()).isEqualTo(body + "!");
        }
    }

    // row 23
    @Test
    void aSlowReaderHoldsTheServiceBackAndIsNotItsFault() throws Exception {
        restartWithTimeouts(1000);
        AtomicLong sent = new AtomicLong();
        service.now((head, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + 100L * MIB + "\r\n\r\n");
            for (int i = 0; i < 1600; i++) {
                connection.send(new byte[MIB / 16]);
                sent.addAndGet(MIB / 16);
            }
        });
        long memory = directMemory();
        try (RawClient client = gateway.client()) {
            client.get("/x").head();
            for (int i = 0; i < 15; i++) { // several times the idle timeout
                client.readBytes(1024);
                Thread.sleep(200);
            }
            assertThat(sent.get()).as("what the service got rid of").isLessThan(40L * MIB);
            assertThat(directMemory() - memory).as("what the gateway holds").isLessThan(8L * MIB);
            client.skipBytes(100L * MIB - 15 * 1024);
        }
        assertThat(gateway.awaitCount(Ending.OK, 1)).isTrue();
        assertThat(gateway.cluster().breaker().snapshot().failures()).isZero();
    }

    @Test
    void aSlowServiceHoldsTheClientBack() throws Exception {
        Semaphore mayRead = new Semaphore(0);
        service.now((head, connection) -> {
            assertThat(mayRead.tryAcquire(8, TimeUnit.SECONDS)).isTrue();
            connection.send(ScriptedService.answer(
                    200, "" + connection.readBody(head, false).length()));
        });
        long memory = directMemory();
        AtomicLong sent = new AtomicLong();
        try (RawClient client = gateway.client()) {
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> {
                try {
                    client.send(UPLOAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
                    for (int i = 0; i < 64; i++) {
                        client.send(new byte[MIB]);
                        sent.addAndGet(MIB);
                    }
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            awaitStandstill(sent);
            assertThat(sent.get()).isLessThan(40L * MIB);
            assertThat(directMemory() - memory).isLessThan(8L * MIB);
            mayRead.release();
            assertThat(client.answer().body()).isEqualTo("" + 64 * MIB);
            upload.get(8, TimeUnit.SECONDS);
        }
    }

    private static void awaitStandstill(AtomicLong counter) throws InterruptedException {
        long before = -1;
        while (counter.get() != before) {
            before = counter.get();
            Thread.sleep(100);
        }
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    @Test
    void aServiceThatStopsReadingIsMeasuredHoweverMuchIsLeft() throws Exception {
        restartWithTimeouts(500);
        AtomicLong taken = new AtomicLong();
        Semaphore mayRead = new Semaphore(0);
        service.now((head, connection) -> {
            mayRead.acquire();
            connection.countToEnd(taken);
        });
        CompletableFuture<Integer> all = upload(64 * MIB);
        assertThat(all.get(20, TimeUnit.SECONDS)).isEqualTo(504);
        mayRead.release();
        awaitStandstill(taken);
        // What the system holds is about as much as was taken. Around it is where all has been read, but not all has
        // gone out.
        List<CompletableFuture<Integer>> uploads = new ArrayList<>();
        for (int around = -256; around <= 448; around += 64) {
            uploads.add(upload((int) Math.max(KIB, taken.get() + (long) around * KIB)));
        }
        for (CompletableFuture<Integer> each : uploads) {
            assertThat(each.get(20, TimeUnit.SECONDS)).isEqualTo(504);
        }
        assertThat(gateway.cluster().counters().inFlight()).isZero();
    }

    /** The status of the answer to a POST with a body of this size. */
    private CompletableFuture<Integer> upload(int size) throws IOException {
        RawClient client = gateway.client();
        client.send(UPLOAD + "Content-Length: " + size + "\r\n\r\n");
        threads.execute(() -> {
            try {
                client.send(new byte[size]);
            } catch (IOException e) {
                // the gateway does not have to take all of it
            }
        });
        return CompletableFuture.supplyAsync(
                () -> {
                    try (client) {
                        return client.answer().status();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }
}
