package dev.recloser.benchmarks.http;

import static java.util.Collections.nCopies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A way to send requests: several lanes beside each other, each with one request at a time. */
enum Load {
    /** {@link HttpClient#send} on one thread. */
    ONE_THREAD("send, one thread") {
        @Override
        long send(HttpClient client, HttpRequest request, long until) throws Exception {
            return sendInTurn(client, request, until);
        }
    },

    /** {@link HttpClient#send} on a thread per core. */
    ALL_CORES("send, a thread per core") {
        @Override
        long send(HttpClient client, HttpRequest request, long until) throws Exception {
            Callable<Long> lane = () -> sendInTurn(client, request, until);
            int lanes = Runtime.getRuntime().availableProcessors();
            long sent = 0;
            for (Future<Long> each : THREADS.invokeAll(nCopies(lanes, lane))) {
                sent += each.get();
            }
            return sent;
        }
    },

    /** {@link HttpClient#sendAsync}, several at a time. */
    ASYNC("sendAsync, 8 at a time") {
        @Override
        long send(HttpClient client, HttpRequest request, long until) throws Exception {
            List<AsyncLane> lanes = new ArrayList<>();
            for (int i = 0; i < ASYNC_LANES; i++) {
                AsyncLane lane = new AsyncLane(client, request, until);
                lanes.add(lane);
                lane.next();
            }
            long sent = 0;
            for (AsyncLane lane : lanes) {
                sent += lane.sent();
            }
            return sent;
        }
    };

    private static final int ASYNC_LANES = 8;
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private final String text;

    Load(String text) {
        this.text = text;
    }

    /**
     * Sends requests until a time of {@link System#nanoTime} has come, and answers how many.
     *
     * @throws Exception when one is not answered as it should be
     */
    abstract long send(HttpClient client, HttpRequest request, long until) throws Exception;

    @Override
    public String toString() {
        return text;
    }

    private static long sendInTurn(HttpClient client, HttpRequest request, long until)
            throws IOException, InterruptedException {
        long sent = 0;
        while (System.nanoTime() - until < 0) {
            verify(client.send(request, BodyHandlers.ofString()));
            sent++;
        }
        return sent;
    }

    private static void verify(HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200 || response.body().length() != KeepAliveServer.BODY_LENGTH) {
            throw new IOException("not the answer expected: " + response + " with "
                    + response.body().length() + " characters");
        }
    }

    /** Each answer sends the next request. */
    private static final class AsyncLane {

        private final HttpClient client;
        private final HttpRequest request;
        private final long until;
        private final CompletableFuture<Long> end = new CompletableFuture<>();
        private long sent;

        AsyncLane(HttpClient client, HttpRequest request, long until) {
            this.client = client;
            this.request = request;
            this.until = until;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // what it ends in, a failure too, is handed to `answered`
        void next() {
            if (System.nanoTime() - until >= 0) {
                end.complete(sent);
                return;
            }
            client.sendAsync(request, BodyHandlers.ofString())
                    .thenAccept(this::answered)
                    .exceptionally(this::failed);
        }

        private void answered(HttpResponse<String> response) {
            try {
                verify(response);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            sent++;
            next();
        }

        private Void failed(Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            end.completeExceptionally(cause);
            return null;
        }

        long sent() throws InterruptedException, ExecutionException {
            return end.get();
        }
    }
}
