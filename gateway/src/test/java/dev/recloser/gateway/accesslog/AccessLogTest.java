package dev.recloser.gateway.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.recloser.gateway.proxy.AccessRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put into the access log comes out of it, unless the disk does not keep up. */
@Timeout(30)
class AccessLogTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    /** A channel that fails or waits as a test wants. */
    private static final class Disk implements WritableByteChannel {

        private final StringBuilder text = new StringBuilder();
        private final CountDownLatch writing = new CountDownLatch(1);
        private CountDownLatch mayWrite = new CountDownLatch(0);
        private volatile int freeBytes = Integer.MAX_VALUE;
        private volatile @Nullable IllegalStateException fault;
        private volatile boolean closed;

        @Override
        public synchronized int write(ByteBuffer source) throws IOException {
            writing.countDown();
            await(mayWrite);
            IllegalStateException thrown = fault;
            if (thrown != null) {
                throw thrown;
            }
            int length = Math.min(source.remaining(), freeBytes);
            if (length == 0) {
                throw new IOException("No space left on device");
            }
            byte[] taken = new byte[length];
            source.get(taken);
            freeBytes -= length;
            text.append(new String(taken, StandardCharsets.US_ASCII));
            return length;
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        synchronized void free(int bytes) {
            freeBytes = bytes;
        }

        synchronized String text() {
            return text.toString();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Disk disk = new Disk();

    private static AccessRecord request(String path) {
        return request(path, null);
    }

    private static AccessRecord request(String path, @Nullable String traceparent) {
        return new AccessRecord(
                Instant.parse("2026-01-01T12:00:00.123456Z"),
                "127.0.0.1",
                "GET",
                "example.com",
                path,
                traceparent,
                200,
                "ok",
                "accounts",
                "127.0.0.1:9101",
                12_345_678,
                12_000_000,
                45_678,
                3,
                5);
    }

    private String written(AccessRecord request) {
        AccessLog log = new AccessLog("a test", disk, 10).start();
        log.ended(request);
        log.close();
        return disk.text();
    }

    private static Map<String, String> fields(String line) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    fields.put(parser.currentName(), parser.getText());
                }
            }
        }
        return fields;
    }

    @Test
    void aLineSaysAllThatThereIs() {
        assertThat(written(request("/a", "00-" + TRACE + "-00f067aa0ba902b7-01")))
                .isEqualTo("{\"time\":\"2026-01-01T12:00:00.123456Z\",\"client\":\"127.0.0.1\",\"method\":\"GET\","
                        + "\"host\":\"example.com\",\"path\":\"/a\",\"status\":200,\"reason\":\"ok\","
                        + "\"cluster\":\"accounts\",\"destination\":\"127.0.0.1:9101\",\"duration\":0.012345,"
                        + "\"service\":0.012000,\"overhead\":0.000045,\"request_bytes\":3,\"response_bytes\":5,"
                        + "\"trace_id\":\"" + TRACE + "\"}\n");
    }

    @Test
    void whatIsNotThereIsLeftOut() {
        AccessRecord malformed = new AccessRecord(
                Instant.EPOCH, "::1", null, null, null, null, 0, "client-gone", null, null, 7_000, -1, -1, 0, 0);
        assertThat(written(malformed))
                .isEqualTo("{\"time\":\"1970-01-01T00:00:00Z\",\"client\":\"::1\",\"reason\":\"client-gone\","
                        + "\"duration\":0.000007,\"request_bytes\":0,\"response_bytes\":0}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/\"}\n{\"status\":200",
                "/\r\n\u0000\u001b[31mred\u009b0m",
                "/\u007f\u0085\u00ff\\",
                "/\u2028\u2029\ud800"
            })
    void nothingThatAClientSendsEndsALineOrReachesATerminal(String hostile) throws IOException {
        String line = written(request(hostile));
        assertThat(line).endsWith("\n");
        assertThat(line.substring(0, line.length() - 1)).matches("[ -~]+");
        assertThat(fields(line).get("path")).isEqualTo(hostile.replace('\u007f', '?'));
        assertThat(fields(line).get("status")).isEqualTo("200");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,       true
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00,       true
            cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later, true
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later, false
            cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01later,  false
            ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,       false
            00-00000000000000000000000000000000-00f067aa0ba902b7-01,       false
            00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01,       false
            00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01,       false
            00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01,        false
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7,          false
            nonsense,                                                      false
            """)
    void theTraceIdIsThatOfAValidHeader(String header, boolean valid) throws IOException {
        assertThat(fields(written(request("/", header))).get("trace_id")).isEqualTo(valid ? TRACE : null);
    }

    @Test
    void closingWritesAllThatHasCome() {
        AccessLog log = new AccessLog("a test", disk, 5_000).start();
        for (int i = 0; i < 5_000; i++) {
            log.ended(request("/" + i));
        }
        log.close();
        assertThat(disk.text().lines().count()).isEqualTo(5_000);
        assertThat(disk.text().lines().reduce((first, second) -> second).orElseThrow())
                .contains("\"/4999\"");
        assertThat(log.dropped()).isZero();
    }

    @Test
    void closingOnAThreadThatIsInterruptedWritesAllToo() {
        AccessLog log = new AccessLog("a test", disk, 5_000).start();
        for (int i = 0; i < 5_000; i++) {
            log.ended(request("/" + i));
        }
        Thread.currentThread().interrupt();
        log.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(disk.closed).isTrue();
        assertThat(disk.text().lines().count()).isEqualTo(5_000);
    }

    @Test
    void aSlowDiskCostsLinesAndHoldsNobodyUp() throws Exception {
        disk.mayWrite = new CountDownLatch(1);
        AccessLog log = new AccessLog("a test", disk, 10).start();
        log.ended(request("/first"));
        disk.writing.await();
        for (int i = 0; i < 25; i++) {
            log.ended(request("/" + i));
        }
        assertThat(log.dropped()).isEqualTo(15);
        disk.mayWrite.countDown();
        log.close();
        List<String> paths = disk.text().lines().map(AccessLogTest::path).toList();
        assertThat(paths).startsWith("/first").hasSize(11);
        assertThat(paths.subList(1, 11))
                .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "/" + i).toList());
    }

    private static String path(String line) {
        try {
            return fields(line).get("path");
        } catch (IOException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    @Test
    void aFullDiskCostsTheLinesOfThatTimeAndNoOthers() throws Exception {
        disk.free(100);
        AccessLog log = new AccessLog("a test", disk, 10).start();
        log.ended(request("/torn"));
        while (log.dropped() == 0) {
            Thread.sleep(1);
        }
        disk.free(Integer.MAX_VALUE);
        log.ended(request("/whole"));
        log.close();
        List<String> lines = disk.text().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(path(lines.get(1))).isEqualTo("/whole");
        assertThat(log.dropped()).isEqualTo(1);
    }

    /** How many bytes the line of such a request has. */
    private static int length(String path) {
        AccessLines lines = new AccessLines();
        lines.add(request(path));
        return lines.take().remaining();
    }

    /** Puts requests into the queue while the disk waits, so that the two behind the first are written at once. */
    private void writeTogether(AccessLog log, int freeBytes, String first, String... rest) throws Exception {
        disk.mayWrite = new CountDownLatch(1);
        log.ended(request(first));
        disk.writing.await();
        for (String path : rest) {
            log.ended(request(path));
        }
        disk.freeBytes = freeBytes;
        disk.mayWrite.countDown();
    }

    private static void awaitDropped(AccessLog log) throws InterruptedException {
        while (log.dropped() == 0) {
            Thread.sleep(1);
        }
    }

    @Test
    void linesThatWereWrittenBeforeTheDiskWasFullAreNotDropped() throws Exception {
        AccessLog log = new AccessLog("a test", disk, 10).start();
        int free = length("/1") + length("/2") + length("/3") + 10;
        writeTogether(log, free, "/1", "/2", "/3", "/4", "/5");
        awaitDropped(log);
        disk.free(Integer.MAX_VALUE);
        log.ended(request("/6"));
        log.close();
        List<String> lines = disk.text().lines().toList();
        assertThat(log.dropped()).isEqualTo(2);
        assertThat(lines).hasSize(5);
        assertThat(lines.subList(0, 3)).extracting(AccessLogTest::path).containsExactly("/1", "/2", "/3");
        assertThat(path(lines.get(4))).isEqualTo("/6");
    }

    @Test
    void aDiskThatIsFullBehindALineLeavesNoEmptyOne() throws Exception {
        AccessLog log = new AccessLog("a test", disk, 10).start();
        writeTogether(log, length("/1") + length("/2"), "/1", "/2", "/3");
        awaitDropped(log);
        disk.free(Integer.MAX_VALUE);
        log.ended(request("/4"));
        log.close();
        assertThat(disk.text().lines().map(AccessLogTest::path)).containsExactly("/1", "/2", "/4");
        assertThat(log.dropped()).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("NullAway") // the fault that the test is about
    void aLineThatCannotBeMadeCostsNoLaterOne() throws Exception {
        AccessLog log = new AccessLog("a test", disk, 10).start();
        log.ended(new AccessRecord(
                null, "127.0.0.1", "GET", "example.com", "/broken", null, 200, "ok", null, null, 1, 1, 1, 0, 0));
        awaitDropped(log);
        log.ended(request("/later"));
        log.close();
        assertThat(disk.text().lines().map(AccessLogTest::path)).containsExactly("/later");
        assertThat(log.dropped()).isEqualTo(1);
    }

    @Test
    void aDiskThatFailsInAWayOfItsOwnCostsNoLaterLine() throws Exception {
        disk.fault = new IllegalStateException("a fault of the disk's own");
        AccessLog log = new AccessLog("a test", disk, 10).start();
        log.ended(request("/lost"));
        awaitDropped(log);
        disk.fault = null;
        log.ended(request("/later"));
        log.close();
        assertThat(disk.text().lines().map(AccessLogTest::path)).containsExactly("/later");
    }
}
